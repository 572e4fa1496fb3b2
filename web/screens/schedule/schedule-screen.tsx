import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { PAGE } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { PREFETCH_STALE_MS } from '#web/api/query.ts'
import { BookingDrawer } from '#web/components/booking/booking-drawer.tsx'
import { showFailedAction } from '#web/components/failed-action.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { useDelayed } from '#web/lib/delayed.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { toCounted, toDateText } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { type SetUrl, useUrlState } from '#web/lib/url-state.ts'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyRegion, EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'
import { useIsTooNarrowForTables } from '#web/ui/use-media.ts'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { Agenda } from './agenda.tsx'
import { MoveQuestion } from './move-question.tsx'
import { NewBooking } from './new-booking.tsx'
import { PrintedSchedule } from './printed-schedule.tsx'
import type { Proposal } from './proposal.ts'
import {
  type Booked,
  DAY_END,
  filterRows,
  moveBooking,
  type RowFilter,
  type RowGroup,
  type Span,
  toRowGroups,
} from './rows.ts'
import { ScheduleDays, toDaysText } from './schedule-days.tsx'
import { ScheduleFilters } from './schedule-filters.tsx'
import { ScheduleGrid } from './schedule-grid.tsx'
import { FREE_FOR_MINUTES, type ScheduleValues, scheduleParams, scheduleQuery, toMonday } from './schedule-query.ts'
import styles from './schedule-screen.module.css'
import { useBookingId } from './use-booking-id.ts'
import { useChanged } from './use-changed.ts'
import { type MoveQuestion as Question, useMoves } from './use-moves.ts'
import { useNow } from './use-now.ts'

/** The schedule (rules §28.2): every pod's day with its bookings. Access to page 6 includes it. */
export function ScheduleScreen() {
  useDocumentTitle('Schedule')
  const [values, setUrl] = useUrlState(scheduleParams)
  const query = useQuery({ ...scheduleQuery(values), placeholderData: keepPreviousData, staleTime: PREFETCH_STALE_MS })
  const schedule = query.data?.data
  const isWeek = values.pod !== ''
  const date = values.date || getBusinessDay()
  const may = useMay()
  // The rows of the day before are shown until those of this one have come.
  const isThisDay = schedule?.date === (isWeek ? toMonday(date) : date)
  const mayMake = may.call('bookings.createFor') && isThisDay
  const mayMove = may.changeRecords('booking') && isThisDay
  const isPhone = useIsTooNarrowForTables()
  const isPrinting = useIsPrinting()
  const now = useNow()
  const making = useDialogs<Proposal>()
  // These are shown over what is open: they come once the server has responded, and a form may be open by then.
  const opened = useDialogs<string>()
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const { moves, own, drop } = useMoves((question) =>
    setQuestions((others) => [...others.filter(({ move }) => move !== question.move), question]),
  )
  const open = useOpenBooking(opened.show)

  const stored = useMemo(() => (schedule ? toRowGroups(schedule) : []), [schedule])
  const all = useMemo(() => moves.reduce<readonly RowGroup[]>(moveBooking, stored), [stored, moves])
  // The filters choose among pods, and the week is that of one.
  const groups = useMemo(() => (isWeek ? all : filterRows(all, values)), [all, isWeek, values])
  const changed = useChanged(schedule, stored, own)
  const pod = isWeek ? schedule?.pods[0] : undefined
  const isLoaded = schedule !== undefined && !(query.error && query.isPlaceholderData)

  return (
    <div className={styles.screen}>
      <PageHeader
        title={pod ? pod.title : 'Schedule'}
        count={schedule && !query.isPlaceholderData ? toCountText(groups) : undefined}
        secondaryActions={<ScheduleDays values={values} setUrl={setUrl} />}
      />
      {!isWeek && (
        <ScheduleFilters
          values={values}
          schedule={schedule}
          // The router would scroll the grid to where it was.
          setUrl={(change) => setUrl(change, { keepScroll: true })}
        />
      )}
      {query.error && (
        <ErrorState
          framed
          title="The schedule could not be loaded"
          problem={toProblem(query.error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          outdated={schedule !== undefined && !query.isPlaceholderData}
        />
      )}
      {/* Only the pods: others make bookings all day. */}
      <Announcement>
        {isLoaded && !query.isPlaceholderData && !isWeek && groups.length > 0 && toPodsText(groups)}
      </Announcement>
      <EmptyRegion>
        {isLoaded && groups.length === 0 && <NoRows values={values} isFiltered={all.length > 0} setUrl={setUrl} />}
      </EmptyRegion>
      {!schedule && !query.error && <Waiting />}
      {!isLoaded || groups.length === 0 ? null : isPhone ? (
        <Agenda
          groups={groups}
          now={now}
          isWeek={isWeek}
          busy={query.isPlaceholderData}
          mayMake={mayMake}
          wanted={toWanted(values)}
          onOpen={(booked) => void open(booked)}
          onMake={making.show}
          onPod={isWeek ? undefined : (podId) => setUrl({ pod: podId })}
        />
      ) : (
        <ScheduleGrid
          label={pod ? `Week of ${pod.title}` : `Schedule of ${toDateText(date)}`}
          groups={groups}
          filters={[values.location, values.feature, values.seats, values.free, values.for].join()}
          now={now}
          changed={changed}
          busy={query.isPlaceholderData}
          mayMake={mayMake}
          onOpen={(booked) => void open(booked)}
          onMake={making.show}
          onDrop={mayMove ? drop : undefined}
          onPod={isWeek ? undefined : (podId) => setUrl({ pod: podId })}
        />
      )}
      {isPrinting && <PrintedSchedule days={toDaysText(values)} groups={groups} now={now} />}
      <DialogOutlet dialogs={making}>
        {(proposal) => (
          <NewBooking proposal={proposal} rows={stored.flatMap(({ rows }) => rows)} onClose={making.close} />
        )}
      </DialogOutlet>
      <DialogOutlet dialogs={opened}>
        {(bookingId) => <BookingDrawer bookingId={bookingId} onClose={opened.close} />}
      </DialogOutlet>
      {questions.map((question) => (
        <MoveQuestion
          key={question.move.booked.key}
          question={question}
          onClose={() => setQuestions((all) => all.filter((one) => one !== question))}
        />
      ))}
    </div>
  )
}

/** Returns a function that opens a booking once its id has been fetched, unless another is chosen meanwhile. */
function useOpenBooking(show: (bookingId: string) => void) {
  const findBookingId = useBookingId()
  const wanted = useRef<Booked>(undefined)
  return async function open(booked: Booked): Promise<void> {
    wanted.current = booked
    try {
      const found = await findBookingId(booked)
      if (found && wanted.current === booked) show(found._id)
    } catch (error) {
      showFailedAction(error, () => void open(booked))
    }
  }
}

/** Returns the time at which the pods shown are free, as far as it lies in one day. */
function toWanted({ pod, free, for: length = FREE_FOR_MINUTES }: ScheduleValues): Span | undefined {
  if (pod !== '' || free === undefined) return undefined
  return { start: free, end: Math.min(free + length, DAY_END) }
}

function toCountText(groups: readonly RowGroup[]): string {
  const rows = groups.flatMap((group) => group.rows)
  const bookings = rows.reduce((sum, row) => sum + row.bookings.length, 0)
  const text = toCounted(bookings, 'booking', 'bookings')
  const isWeek = countPods(groups) === 1 && rows.length > 1
  return isWeek ? text : `${text} in ${toPodsText(groups)}`
}

const toPodsText = (groups: readonly RowGroup[]) => toCounted(countPods(groups), 'pod', 'pods')

function countPods(groups: readonly RowGroup[]): number {
  return new Set(groups.flatMap(({ rows }) => rows.map(({ podId }) => podId))).size
}

type NoRowsProps = { values: ScheduleValues; isFiltered: boolean; setUrl: SetUrl<ScheduleValues & RowFilter> }

function NoRows({ values, isFiltered, setUrl }: NoRowsProps) {
  const mayAddPods = useMay().call('pods.create')
  if (isFiltered) {
    const clear = () => setUrl({ feature: '', seats: undefined, free: undefined, for: undefined })
    return (
      <EmptyState framed action={<Button onClick={clear}>Clear filters</Button>}>
        No pod matches these filters.
      </EmptyState>
    )
  }
  if (values.pod !== '' || values.location !== '') {
    return (
      <EmptyState framed action={<Button onClick={() => setUrl({ location: '', pod: '' })}>Show all pods</Button>}>
        {values.pod === '' ? 'This location has no pods.' : 'There is no such pod any more.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState framed action={mayAddPods && <Link href={pathOf(PAGE.pods)}>Add a pod</Link>}>
      Pods appear here with their day once the first one is created.
    </EmptyState>
  )
}

/** Placeholder for the grid. */
function Waiting() {
  const isLate = useDelayed(true)
  return (
    <div className={styles.waiting} aria-busy>
      {isLate && Array.from({ length: 12 }, (_, row) => <Skeleton key={row} height={40} />)}
    </div>
  )
}
