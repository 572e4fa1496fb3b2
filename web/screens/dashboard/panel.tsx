import type { ReactNode } from 'react'
import { toCountText } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './dashboard.module.css'
import type { PanelState } from './use-panel.ts'

type PanelProps = {
  title: string
  /** Path of the whole list. */
  href: string
  state: PanelState
  wide?: boolean
  children: ReactNode
}

/** The frame of a panel: title, total, a link to the whole list, and the panel's error. */
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
      {state.error && (
        <ErrorState
          framed
          title={`${title} could not be loaded`}
          problem={toProblem(state.error)}
          onRetry={state.retry}
          retrying={state.busy}
          outdated={state.total !== undefined}
        />
      )}
      {/* After a failed refetch, keeps showing what was loaded before. */}
      {(!state.error || state.total !== undefined) && children}
    </section>
  )
}
