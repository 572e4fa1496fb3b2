import type { CurrentClosure } from '#contract/fields.ts'
import styles from './closed-note.module.css'
import { toEndText } from './closure-words.ts'

/** Says why a pod or location cannot be used now, since when, and who closed it. */
export function ClosedNote({ closure }: { closure: CurrentClosure | null }) {
  if (closure === null) return null
  const { reason, starts, ends, createdBy } = closure
  return (
    <span className={styles.note}>
      <span>
        Closed until {ends === null ? 'further notice' : toEndText(ends)}: {reason}
      </span>
      <span className={styles.by}>
        Since {starts.slice(0, 10)}
        {createdBy && `, by ${createdBy}`}
      </span>
    </span>
  )
}
