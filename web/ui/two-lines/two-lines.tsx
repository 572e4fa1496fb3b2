import type { ReactNode } from 'react'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './two-lines.module.css'

type TwoLinesProps = {
  first: ReactNode
  second: string
  /** Gives the second line's place to a first line that is too long, rather than cutting it. */
  wraps?: boolean
  /** Wraps the second line in a table too, rather than cutting it. */
  secondWraps?: boolean
  /** Wraps both in a table too, where rows are high anyway. */
  bothWrap?: boolean
}

/** A name with a less prominent line below it, so that both have the full width of a table's cell. */
export function TwoLines({ first, second, wraps = false, secondWraps = false, bothWrap = false }: TwoLinesProps) {
  const lines = (
    <>
      <span className={styles.line} data-wraps={bothWrap || undefined}>
        {first}
      </span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.second} data-wraps={secondWraps || bothWrap || undefined}>
        {second}
      </span>
    </>
  )
  return wraps ? <span className={styles.both}>{lines}</span> : lines
}
