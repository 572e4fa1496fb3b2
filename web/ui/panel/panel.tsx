import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

type PanelProps = {
  title: string
  action?: ReactNode
  children: ReactNode
  /** The content reaches the edges, as a table does. */
  flush?: boolean
}

/** A card with a heading: the panels of the dashboard, the groups of a form. */
export function Panel({ title, action, children, flush = false }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {action}
      </div>
      <div className={styles.body} data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  )
}

/** Limits forms and cards to a width of 1440 px; tables, which may use the whole width, go without it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}
