import { classNames } from '../class-names.ts'
import styles from './drawn-icon.module.css'

/** `size`: px of the square that it is drawn in. */
export type IconProps = { size?: keyof typeof sizes; className?: string | undefined }

/** By class rather than by attributes of each: two fewer to set, dozens of times a screen. */
const sizes = { 14: styles.px14, 16: styles.px16, 18: styles.px18, 20: styles.px20, 28: styles.px28 }

/** What an icon of the library consists of: tag and attributes of each element. */
export type IconNode = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]

/**
 * The strokes of an icon as one path: a list of ten rows shows dozens of icons, and each element counts.
 * Each stroke begins at a point of its own (M), so that they can follow one another.
 */
export function toPath(node: IconNode): string {
  return node
    .map(([tag, attributes]) => {
      const isStroke = tag === 'path' && Object.keys(attributes).every((name) => name === 'd' || name === 'key')
      if (!isStroke || !attributes.d?.startsWith('M'))
        throw new Error(`An icon of more than strokes: ${JSON.stringify(node)}`)
      return attributes.d
    })
    .join('')
}

/** Icons here are decoration: the words beside them, or the label of their button, carry the meaning. */
export function toIcon(node: IconNode) {
  const path = toPath(node)
  return function DecorativeIcon({ size = 18, className }: IconProps) {
    return (
      <svg className={classNames(sizes[size], className)} viewBox="0 0 24 24" aria-hidden>
        <path d={path} />
      </svg>
    )
  }
}
