import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './booking-ticket.module.css'

/** Placeholder in the ticket's shape while the booking loads. */
export function TicketSkeleton() {
  return (
    <div className={styles.ticket}>
      <output>
        <VisuallyHidden>Loading the booking</VisuallyHidden>
      </output>
      <div className={styles.code}>
        <Skeleton width={280} height={280} />
      </div>
      <div className={styles.lines}>
        <Skeleton width="55%" height={20} />
        <Skeleton width="40%" height={16} />
        <Skeleton width="80%" />
        <Skeleton width="65%" />
        <Skeleton width="72%" />
      </div>
    </div>
  )
}
