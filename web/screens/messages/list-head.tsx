import type { ReactNode } from 'react'
import styles from './list-head.module.css'

/** The heading above a list of a tab, with the buttons that concern all of it. */
export function ListHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.top}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </div>
  )
}
