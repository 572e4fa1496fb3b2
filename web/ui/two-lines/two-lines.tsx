import type { ReactNode } from 'react'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './two-lines.module.css'

/** A name with a less prominent line below it, so that both have the full width of a table's cell. */
export function TwoLines({ first, second }: { first: ReactNode; second: string }) {
  return (
    <>
      <span className={styles.line}>{first}</span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.second}>{second}</span>
    </>
  )
}
