import type { OpenClosure } from '#contract/fields.ts'
import styles from './closed-note.module.css'

/** Why a blocked pod or location cannot be booked, since when, and who closed it. */
export function ClosedNote({ closure }: { closure: OpenClosure | null }) {
  if (closure === null) return null
  const { reason, starts, createdBy } = closure
  return (
    <span className={styles.note}>
      <span>Closed until further notice: {reason}</span>
      <span className={styles.by}>
        Since {starts.slice(0, 10)}
        {createdBy && `, by ${createdBy}`}
      </span>
    </span>
  )
}
