import { useSession } from '#web/api/session.ts'
import { Link } from '#web/lib/link.tsx'
import { pageOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconRefresh, IconShieldLock } from '#web/ui/icons/icons.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './access-denied.module.css'

/** Shown instead of a screen that the person may not see (rules §2.6) or, with `failure`, whose access check failed. */
export function AccessDenied({ failure, onRetry }: { failure?: unknown; onRetry?: () => void }) {
  const problem = failure === undefined ? undefined : toProblem(failure)
  const first = useSession()?.pages[0]
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
      {problem && !problem.isRefusal && onRetry && (
        <Button icon={<IconRefresh size={16} />} onClick={onRetry}>
          Retry
        </Button>
      )}
      {!problem && first !== undefined && <Link href={pageOf(first).path}>Go to {pageOf(first).name}</Link>}
      {problem?.requestId && <p className={styles.request}>Request {problem.requestId}</p>}
    </section>
  )
}
