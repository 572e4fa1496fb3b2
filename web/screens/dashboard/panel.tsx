import type { ReactNode } from 'react'
import { toCountText } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './dashboard.module.css'
import type { PanelState } from './use-panel.ts'

type PanelProps = {
  title: string
  /** Where the whole list is. */
  href: string
  state: PanelState
  wide?: boolean
  children: ReactNode
}

/** A panel's frame: its name, how many records there are in all, the way to them, and its own failure. */
export function Panel({ title, href, state, wide = false, children }: PanelProps) {
  return (
    <section className={styles.panel} data-wide={wide || undefined} aria-label={title}>
      <header className={styles.panelHeader}>
        <h2 className={styles.panelTitle}>{title}</h2>
        {state.total !== undefined && <span className={styles.panelCount}>{toCountText(state.total)}</span>}
        <Link href={href} className={styles.panelLink} aria-label={`View all: ${title}`}>
          View all
        </Link>
      </header>
      {state.error && <ErrorState problem={toProblem(state.error)} onRetry={state.retry} retrying={state.busy} />}
      {/* What was known before a reload failed stays. */}
      {(!state.error || state.total !== undefined) && children}
    </section>
  )
}
