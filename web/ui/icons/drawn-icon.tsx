import { classNames } from '../class-names.ts'
import styles from './drawn-icon.module.css'

/** `size`: px of the square that it is drawn in. */
export type IconProps = { size?: keyof typeof sizes; className?: string | undefined }

/** By class rather than by attributes of each: two fewer to set, dozens of times a screen. */
const sizes = { 14: styles.px14, 16: styles.px16, 18: styles.px18, 20: styles.px20, 28: styles.px28 }

/**
 * An icon of strokes in a square of 24, as one path: a list of ten rows shows dozens of icons, and each element counts.
 * Icons here are decoration: the words beside them, or the label of their button, carry the meaning.
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
