import { classNames } from '../class-names.ts'
import styles from './drawn-icon.module.css'

/** `size` is the side of the icon's square in px. */
export type IconProps = { size?: keyof typeof sizes; className?: string | undefined }

/** A class instead of width and height: two attributes fewer to set on dozens of icons per screen. */
const sizes = { 14: styles.px14, 16: styles.px16, 18: styles.px18, 20: styles.px20, 28: styles.px28 }

/**
 * Returns an icon component that draws strokes in a 24 × 24 square, as one path: a list of ten rows shows dozens of
 * icons, and each element counts. Icons are decorative: the text beside them, or their button's label, has the meaning.
 */
export function toIcon(path: string) {
  return function DecorativeIcon({ size = 18, className }: IconProps) {
    return (
      <svg className={classNames(sizes[size], className)} viewBox="0 0 24 24" aria-hidden>
        <path d={path} />
      </svg>
    )
  }
}
