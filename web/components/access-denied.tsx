import { IconRefresh, IconShieldLock } from '#web/ui/icons.tsx'
import { Button } from '#web/ui/button.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './access-denied.module.css'

/** What stands in place of a screen that the person may not see; with `failure`, one whose check got no answer. */
export function AccessDenied({ failure, onRetry }: { failure?: unknown; onRetry?: () => void }) {
  const problem = failure === undefined ? undefined : toProblem(failure)
  return (
    <section className={styles.view} role="alert">
      <span className={styles.icon}>
        <IconShieldLock size={28} />
      </span>
      <h1 className={styles.title}>you cannot access this page</h1>
      <p className={styles.line}>
        {problem
          ? `Your access could not be checked. ${problem.message}`
          : 'Your account does not include it. A colleague who manages staff under Assign Role can add it.'}
      </p>
      {problem && onRetry && (
        <Button icon={<IconRefresh size={16} />} onClick={onRetry}>
          Retry
        </Button>
      )}
      {problem?.requestId && <p className={styles.request}>Request {problem.requestId}</p>}
    </section>
  )
}
