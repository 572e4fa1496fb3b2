import { useState } from 'react'
import { toCountText } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'
import type { Arrival } from './arrival-groups.ts'
import { ArrivalItem } from './arrival-item.tsx'
import styles from './arrivals.module.css'
import type { ArrivalActions } from './use-arrivals.ts'

/** How many of a group are shown until all are asked for, as a day at hundreds of locations has thousands. */
const FIRST = 200

type ArrivalGroupProps = {
  title: string
  arrivals: readonly Arrival[]
  showsLocation: boolean
  actions: ArrivalActions
  onOpen: (id: string) => void
}

export function ArrivalGroup({ title, arrivals, showsLocation, actions, onOpen }: ArrivalGroupProps) {
  const [isAsked, setAsked] = useState(false)
  const isPrinting = useIsPrinting()
  const isWhole = isAsked || isPrinting || arrivals.length <= FIRST
  const { pending, checkIn, send } = actions
  return (
    <section aria-label={title} className={styles.group}>
      <h2 className={styles.title}>
        {title} <span className={styles.count}>{toCountText(arrivals.length)}</span>
      </h2>
      <ul className={styles.list}>
        {(isWhole ? arrivals : arrivals.slice(0, FIRST)).map((arrival) => (
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
      {!isWhole && (
        <p className={styles.rest}>
          The first {FIRST} of {toCountText(arrivals.length)}
          <Button size="small" onClick={() => setAsked(true)}>
            Show all
          </Button>
        </p>
      )}
    </section>
  )
}
