import type { Arrival } from '#contract/booking-actions.ts'
import { toCountText } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ArrivalItem } from './arrival-item.tsx'
import styles from './arrivals.module.css'
import type { ArrivalActions } from './use-arrivals.ts'

type ArrivalGroupProps = {
  title: string
  /** How many are in the group. */
  count: number
  /** All of them, or the first. */
  arrivals: readonly Arrival[]
  showsLocation: boolean
  actions: ArrivalActions
  onOpen: (id: string) => void
}

export function ArrivalGroup({ title, count, arrivals, showsLocation, actions, onOpen }: ArrivalGroupProps) {
  const { pending, checkIn, send, isWhole, showAll } = actions
  return (
    <section aria-label={title} className={styles.group}>
      <h2 className={styles.title}>
        {title} <span className={styles.count}>{toCountText(count)}</span>
      </h2>
      <ul className={styles.list}>
        {arrivals.map((arrival) => (
          <ArrivalItem
            key={arrival._id}
            arrival={arrival}
            showsLocation={showsLocation}
            pending={pending}
            onOpen={() => onOpen(arrival._id)}
            onCheckIn={() => checkIn(arrival)}
            onNoShow={() => send('noShow', arrival)}
            onEnd={() => send('end', arrival)}
          />
        ))}
      </ul>
      {arrivals.length < count && (
        <p className={styles.rest}>
          The first {toCountText(arrivals.length)} of {toCountText(count)}
          <Button size="small" loading={isWhole} onClick={showAll}>
            Show all
          </Button>
        </p>
      )}
    </section>
  )
}
