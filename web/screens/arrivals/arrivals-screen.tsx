import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { BookingDrawer } from '#web/components/booking/booking-drawer.tsx'
import { useBookingAction } from '#web/components/booking/use-booking-action.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toCounted, toCountText, toDateText, toWallTime } from '#web/lib/format.ts'
import { getServerTime } from '#web/lib/server-time.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconQrcode } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyRegion, EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { type Arrival, groupArrivals } from './arrival-groups.ts'
import { ArrivalItem } from './arrival-item.tsx'
import styles from './arrivals.module.css'
import { CheckInByCode } from './check-in-by-code.tsx'

/** Refetched regularly, because customers become late or due to leave as time passes. */
const REFRESH_MS = 30_000

/** How many of a group are shown until all are asked for, as a day at hundreds of locations has thousands. */
const FIRST = 200

/** A check-in that has been sent: the version of the booking that it was made from, and when. */
type CheckIn = { version: number; at: string }

const params = { location: textParam(), search: textParam() }

/** Today's late, expected, present and leaving customers, with check-in by one tap on a phone (rules §27.10). */
export function ArrivalsScreen() {
  const [{ location, search }, setUrl] = useUrlState(params)
  const [openId, setOpenId] = useState<string>()
  const [isScanning, setScanning] = useState(false)
  const [wholeGroups, setWholeGroups] = useState<readonly string[]>([])
  const isPrinting = useIsPrinting()
  const isWhole = (title: string) => isPrinting || wholeGroups.includes(title)
  const [sent, setSent] = useState<Partial<Record<string, CheckIn>>>({})
  const { run, pending } = useBookingAction()
  const query = useQuery({
    ...apiQuery('bookingActions', 'arrivals', { query: { location } }),
    refetchInterval: REFRESH_MS,
  })
  const day = query.data?.data
  const mayChange = useMay().changeRecords('booking')

  /**
   * Checks in, and shows it before the server has responded, so that a queue at the door does not wait. Whatever is
   * fetched meanwhile does not know of it yet.
   */
  function checkIn(arrival: Arrival) {
    const { _id: id, version } = arrival
    const show = (one?: CheckIn) => setSent((others) => ({ ...others, [id]: one }))
    void run(`check-in ${id}`, `${arrival.name} is checked in`, async () => {
      show({ version, at: getServerTime().toISOString() })
      try {
        return await api('bookingActions', 'checkIn', { params: { id }, body: { version, method: 'staff' } })
      } catch (error) {
        show(undefined)
        throw error
      }
    })
  }

  function send(action: 'noShow' | 'end', arrival: Arrival) {
    const said = action === 'noShow' ? `Noted that ${arrival.name} did not come` : `${arrival.podTitle} is ended`
    void run(`${action} ${arrival._id}`, said, () =>
      api('bookingActions', action, { params: { id: arrival._id }, body: { version: arrival.version } }),
    )
  }

  const arrivals = day?.arrivals.map((arrival) => {
    const checkedIn = sent[arrival._id]
    if (checkedIn?.version !== arrival.version) return arrival
    return { ...arrival, checkedInAt: checkedIn.at, actions: [] }
  })
  const groups = day && groupArrivals(arrivals ?? [], day.businessNow, search)
  return (
    <Page>
      <PageHeader
        title="Arrivals"
        count={day && `${toCountText(day.arrivals.length)} today`}
        action={
          <CallButton
            call="bookingActions.checkInByCode"
            variant="primary"
            icon={<IconQrcode size={16} />}
            onClick={() => setScanning(true)}
          >
            Scan code
          </CallButton>
        }
      />
      {day && (
        <p className={styles.printed}>
          {location !== '' && day.arrivals[0] && `${day.arrivals[0].locationName}, `}
          {toDateText(day.businessNow.slice(0, 10))}, {toWallTime(day.businessNow)}
        </p>
      )}
      <FilterBar
        search={{
          label: 'Find a name or pod',
          value: search,
          onChange: (text) => setUrl({ search: text }, { replace: true }),
        }}
        setCount={location === '' ? 0 : 1}
        onClear={() => setUrl({ location: '', search: '' })}
      >
        <LocationFilter value={location} onChange={(id) => setUrl({ location: id })} />
      </FilterBar>
      <Unloaded query={query} framed title="The arrivals could not be loaded">
        {!day && <ArrivalSkeletons />}
      </Unloaded>
      <Announcement>
        {search !== '' &&
          groups &&
          groups.length > 0 &&
          toCounted(groups.flatMap((group) => group.arrivals).length, 'arrival', 'arrivals')}
      </Announcement>
      <EmptyRegion>
        {groups?.length === 0 && (
          <EmptyState framed>
            {search === '' ? 'Nobody is expected today.' : 'Nobody of that name is expected today.'}
          </EmptyState>
        )}
      </EmptyRegion>
      {groups?.map(({ title, arrivals }) => (
        <section key={title} aria-label={title} className={styles.group}>
          <h2 className={styles.title}>
            {title} <span className={styles.count}>{toCountText(arrivals.length)}</span>
          </h2>
          <ul className={styles.list}>
            {(isWhole(title) ? arrivals : arrivals.slice(0, FIRST)).map((arrival) => (
              <ArrivalItem
                key={arrival._id}
                arrival={mayChange ? arrival : { ...arrival, actions: [] }}
                showsLocation={location === ''}
                pending={pending}
                onOpen={() => setOpenId(arrival._id)}
                onCheckIn={() => checkIn(arrival)}
                onNoShow={() => send('noShow', arrival)}
                onEnd={() => send('end', arrival)}
              />
            ))}
          </ul>
          {arrivals.length > FIRST && !isWhole(title) && (
            <p className={styles.rest}>
              The first {FIRST} of {toCountText(arrivals.length)}
              <Button size="small" onClick={() => setWholeGroups([...wholeGroups, title])}>
                Show all
              </Button>
            </p>
          )}
        </section>
      ))}
      {isScanning && <CheckInByCode onClose={() => setScanning(false)} />}
      {openId !== undefined && <BookingDrawer bookingId={openId} onClose={() => setOpenId(undefined)} />}
    </Page>
  )
}

/** Placeholder in the shape of a group of arrivals. */
function ArrivalSkeletons() {
  return (
    <div className={`${styles.group} ${styles.waiting}`} aria-hidden>
      <div className={styles.title}>
        <Skeleton width="6rem" height="1lh" />
      </div>
      <ul className={styles.list}>
        {Array.from({ length: 8 }, (_, index) => (
          <li key={index} className={styles.item}>
            <div className={styles.who}>
              <Skeleton width="9rem" height={14} />
              <Skeleton width="min(16rem, 100%)" />
            </div>
            <div className={styles.phone}>
              <Skeleton width="6.5rem" />
            </div>
            <div className={styles.state}>
              <Skeleton width="6.5rem" height="var(--control-height)" />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
