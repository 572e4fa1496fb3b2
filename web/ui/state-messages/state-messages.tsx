import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { Button } from '../button/button.tsx'
import { IconAlertTriangle, IconRefresh } from '../icons/icons.tsx'
import type { Problem } from '../problem.ts'
import styles from './state-messages.module.css'

type EmptyStateProps = {
  children: ReactNode
  action?: ReactNode
  /** Draws it as a card, like an empty table, for use directly on the page. */
  framed?: boolean
}

/** One line about what will be here, and one button to create the first. */
export function EmptyState({ children, action, framed }: EmptyStateProps) {
  return (
    <div className={styles.state} data-framed={framed || undefined}>
      <p className={styles.line}>{children}</p>
      {action}
    </div>
  )
}

/** Announces the empty state that appears in it. Render it, empty, while there are records. */
export function EmptyRegion({ children }: { children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output may only contain text, not blocks
    <div role="status" className={styles.region}>
      {children}
    </div>
  )
}

type ErrorStateProps = {
  problem: Problem
  title?: string
  onRetry?: (() => void) | undefined
  retrying?: boolean
  /** As in EmptyState. */
  framed?: boolean
  /** What was loaded before is still shown below: makes it a strip that says so, instead of the title. */
  outdated?: boolean
}

/** Says what failed, offers to try again where that can help, and shows the id by which the operator finds it in the log. */
export function ErrorState({ problem, title, onRetry, retrying = false, framed, outdated = false }: ErrorStateProps) {
  const mayRetry = onRetry !== undefined && !problem.isRefusal
  if (outdated) {
    const retry = mayRetry && (
      <Button size="small" icon={<IconRefresh size={14} />} onClick={onRetry} loading={retrying}>
        Retry
      </Button>
    )
    return (
      <div className={styles.outdated} data-outdated>
        <Strip problem={{ ...problem, title: 'What is shown here may be out of date' }} action={retry} />
      </div>
    )
  }
  return (
    <div className={styles.state} data-framed={framed || undefined} role="alert">
      <IconAlertTriangle size={20} className={styles.icon} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        <p className={styles.line}>{problem.message}</p>
      </div>
      {mayRetry && (
        <Button icon={<IconRefresh size={16} />} onClick={onRetry} loading={retrying}>
          Retry
        </Button>
      )}
      {problem.requestId && <p className={styles.request}>Request {problem.requestId}</p>}
    </div>
  )
}

/** A strip inside a dialog or a form that says what failed; it scrolls itself into view. */
export function ErrorSummary({ problem }: { problem: Problem }) {
  const strip = useRef<HTMLDivElement>(null)

  // A long form may be scrolled far from its top when it is sent.
  useEffect(() => {
    strip.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return <Strip ref={strip} problem={problem} />
}

type StripProps = { problem: Problem; action?: ReactNode; ref?: Ref<HTMLDivElement> }

function Strip({ problem: { title, message, requestId }, action, ref }: StripProps) {
  return (
    <div ref={ref} className={styles.summary} role="alert">
      <IconAlertTriangle size={16} className={styles.icon} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        <p>{message}</p>
        {requestId && <p className={styles.request}>Request {requestId}</p>}
      </div>
      {action}
    </div>
  )
}
