import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Text for screen readers only. */
export function VisuallyHidden({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  )
}

/** Text that screen readers announce whenever it changes. Render it, empty, from the start. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={styles.hidden}>{children}</output>
}

/** The first element that Tab reaches: skips the menu and leads to the screen. */
export function SkipLink() {
  return (
    <a href="#main" className={styles.skip}>
      Skip to content
    </a>
  )
}
