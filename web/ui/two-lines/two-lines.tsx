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
}

/** A name with a less prominent line below it, so that both have the full width of a table's cell. */
export function TwoLines({ first, second, wraps = false, secondWraps = false }: TwoLinesProps) {
  const lines = (
    <>
      <span className={styles.line}>{first}</span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.second} data-wraps={secondWraps || undefined}>
        {second}
      </span>
    </>
  )
  return wraps ? <span className={styles.both}>{lines}</span> : lines
}
