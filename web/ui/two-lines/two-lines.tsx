import type { ReactNode } from 'react'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './two-lines.module.css'

/** A name and, below it and quieter, what belongs to it: in a table's cell both keep twice the width. */
export function TwoLines({ first, second }: { first: ReactNode; second: string }) {
  return (
    <>
      <span className={styles.line}>{first}</span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.second}>{second}</span>
    </>
  )
}
