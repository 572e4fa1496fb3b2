import { classNames } from './class-names.ts'
import styles from './drawn-icon.module.css'

export type IconProps = { size?: number; className?: string | undefined }

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
      <svg className={classNames(styles.icon, className)} viewBox="0 0 24 24" width={size} height={size} aria-hidden>
        <path d={path} />
      </svg>
    )
  }
}
