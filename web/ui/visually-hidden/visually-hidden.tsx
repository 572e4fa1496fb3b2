import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Words for screen readers only. */
export function VisuallyHidden({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  )
}

/** Said by screen readers whenever it changes; stands there, empty, from the start. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={styles.hidden}>{children}</output>
}

/** The first thing Tab reaches: jumps over the menu to the screen. */
export function SkipLink({ target = '#main' }: { target?: string }) {
  return (
    <a href={target} className={styles.skip}>
      Skip to content
    </a>
  )
}
