import { Button } from '../button/button.tsx'
import styles from './lookup-failure.module.css'
import type { Lookup } from './lookup-field.tsx'

/** Says below a lookup why its choices could not be loaded. */
export function LookupFailure({ lookup: { problem, loading = false, onRetry } }: { lookup: Lookup }) {
  if (!problem) return null
  return (
    <div className={styles.failure} role="alert">
      <span>{problem.message}</span>
      {onRetry && !problem.isRefusal && (
        <Button size="small" loading={loading} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}
