import type { ComponentProps } from 'react'
import { toFullName } from '#contract/full-name.ts'
import { toMoneyText } from '#contract/money.ts'
import type { Pod } from '#contract/pods.ts'
import type { Selection } from '#contract/slot-selection.ts'
import { type BookedFor, toOwedText } from '#web/components/booked-for/booked-for.ts'
import { PodCover } from '#web/components/pod-cover.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { isDay } from '#web/lib/days.ts'
import { toDateText } from '#web/lib/format.ts'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { Image } from '#web/ui/image/image.tsx'
import { toBookedMinutes, toDurationText, toRangeText } from './booking-words.ts'
import styles from './corporate-booking.module.css'
import { toLocationText } from './use-pod-lookup.tsx'

type BookingSummaryProps = {
  pod: Pod | undefined
  purpose: string | null
  date: string
  selection: Selection
  bookedFor: BookedFor
  /** What each booking costs; undefined while that is unknown, and for oneself. */
  price: number | undefined
  priceQuery: ComponentProps<typeof Unloaded>['query']
  /** Whether it is the first of several bookings. */
  isRepeated: boolean
}

/** A summary of what is about to be booked, next to the form. */
export function BookingSummary(props: BookingSummaryProps) {
  const { pod, purpose, date, selection, bookedFor, price, priceQuery, isRepeated } = props
  const minutes = toBookedMinutes(selection)
  const isSold = bookedFor.kind !== 'me'
  const owed =
    price === undefined ? 'the price' : `${toMoneyText(price)}${isRepeated ? ' for each booking in this pod' : ''}`
  return (
    <section className={styles.summary} aria-label="Summary">
      {pod ? <PodCover pod={pod} ratio="16 / 10" size="full" /> : <Image src={undefined} alt="" ratio="16 / 10" />}
      <div className={styles.summaryWords}>
        <h2 className={styles.podTitle}>{pod?.title ?? 'No pod chosen yet'}</h2>
        {pod && <p className={styles.location}>{toLocationText(pod)}</p>}
        <Facts>
          <Fact name="Purpose">{purpose ?? '–'}</Fact>
          <Fact name="Date">{isDay(date) ? toDateText(date) : '–'}</Fact>
          <Fact name="Time">{minutes > 0 ? toRangeText(selection) : '–'}</Fact>
          <Fact name="Duration">{minutes > 0 ? toDurationText(minutes) : '–'}</Fact>
          <Fact name="For">{isSold && (toForText(bookedFor) || '–')}</Fact>
        </Facts>
        <p className={styles.payment}>
          {isSold ? toOwedText(bookedFor, owed) : 'No payment: corporate bookings are not paid for.'}
        </p>
        {isSold && <Unloaded query={priceQuery} title="The price could not be loaded" />}
      </div>
    </section>
  )
}

function toForText({ kind, customer, company, newCustomer }: BookedFor): string | undefined {
  if (kind === 'customer') return customer?.label
  if (kind === 'company') return company?.label
  return toFullName(newCustomer)
}
