import { useState } from 'react'
import { BookingDrawer } from '#web/components/booking/booking-drawer.tsx'
import { CallButton } from '#web/components/call-button.tsx'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toCounted, toCountText, toDateText, toWallTime } from '#web/lib/format.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconQrcode } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyRegion, EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { ArrivalGroup } from './arrival-group.tsx'
import styles from './arrivals.module.css'
import { CheckInByCode } from './check-in-by-code.tsx'
import { useArrivals } from './use-arrivals.ts'

const params = { location: textParam(), search: textParam() }

/** Today's late, expected, present and leaving customers, with check-in by one tap on a phone (rules §27.10). */
export function ArrivalsScreen() {
  const [{ location, search }, setUrl] = useUrlState(params)
  const [openId, setOpenId] = useState<string>()
  const [isScanning, setScanning] = useState(false)
  const { query, groups, now, ...actions } = useArrivals(location, search)
  const total = groups?.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <Page>
      <PageHeader
        title="Arrivals"
        count={groups && `${toCountText(total)} ${search === '' ? 'today' : 'found'}`}
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
      {now !== undefined && (
        <p className={styles.printed}>
          {location !== '' && groups?.[0]?.arrivals[0] && `${groups[0].arrivals[0].locationName}, `}
          {toDateText(now.slice(0, 10))}, {toWallTime(now)}
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
        {!groups && <ArrivalSkeletons />}
      </Unloaded>
      <Announcement>
        {search !== '' && !query.isPlaceholderData && total > 0 && toCounted(total, 'arrival', 'arrivals')}
      </Announcement>
      <EmptyRegion>
        {groups?.length === 0 && (
          <EmptyState framed>
            {search === '' ? 'Nobody is expected today.' : 'Nobody of that name is expected today.'}
          </EmptyState>
        )}
      </EmptyRegion>
      {groups?.map((group) => (
        <ArrivalGroup
          key={group.title}
          {...group}
          showsLocation={location === ''}
          actions={actions}
          onOpen={setOpenId}
        />
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
