import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button/button.tsx'
import { IconAlertTriangle, IconRefresh } from '../icons/icons.tsx'
import type { Problem } from '../problem.ts'
import styles from './state-messages.module.css'

type EmptyStateProps = {
  children: ReactNode
  action?: ReactNode
  /** It stands on the page itself: it is a card, as an empty table is. */
  framed?: boolean
}

/** One line on what will be here, and one button to make the first. */
export function EmptyState({ children, action, framed }: EmptyStateProps) {
  return (
    <div className={styles.state} data-framed={framed || undefined}>
      <p className={styles.line}>{children}</p>
      {action}
    </div>
  )
}

type ErrorStateProps = {
  problem: Problem
  title?: string
  onRetry?: (() => void) | undefined
  retrying?: boolean
  /** As of EmptyState. */
  framed?: boolean
}

/** What failed, a way to try again, and the id under which the operator finds it in the log. */
export function ErrorState({ problem, title, onRetry, retrying = false, framed }: ErrorStateProps) {
  return (
    <div className={styles.state} data-framed={framed || undefined} role="alert">
      <IconAlertTriangle size={20} className={styles.icon} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        <p className={styles.line}>{problem.message}</p>
      </div>
      {onRetry && (
        <Button icon={<IconRefresh size={16} />} onClick={onRetry} loading={retrying}>
          Retry
        </Button>
      )}
      {problem.requestId && <p className={styles.request}>Request {problem.requestId}</p>}
    </div>
  )
}

/** The same, as a strip inside a dialog or a form; it brings itself into view. */
export function ErrorSummary({ problem }: { problem: Problem }) {
  const strip = useRef<HTMLDivElement>(null)
  const { title, message } = problem

  // A long form may be scrolled far from its top when it is sent.
  useEffect(() => {
    strip.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return (
    <div ref={strip} className={styles.summary} role="alert">
      <IconAlertTriangle size={16} className={styles.icon} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        <p>{message}</p>
        {problem.requestId && <p className={styles.request}>Request {problem.requestId}</p>}
      </div>
    </div>
  )
}
