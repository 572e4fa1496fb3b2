import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PAGE } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { BookingDrawer } from '#web/components/booking/booking-drawer.tsx'
import { showFailedAction } from '#web/components/failed-action.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { addDays } from '#web/lib/days.ts'
import { useDelayed } from '#web/lib/delayed.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { toCounted, toDateText } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { useUrlState } from '#web/lib/url-state.ts'
import { pathOf } from '#web/paths.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { CalendarButton } from '#web/ui/calendar/calendar-button.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'
import { useIsTooNarrowForTables } from '#web/ui/use-media.ts'
import { Agenda } from './agenda.tsx'
import { MoveQuestion } from './move-question.tsx'
import { NewBooking } from './new-booking.tsx'
import { PrintedSchedule } from './printed-schedule.tsx'
import type { Proposal } from './proposal.ts'
import { type Booked, DAY_END, filterRows, moveBooking, type RowGroup, type Span, toRowGroups } from './rows.ts'
import { ScheduleFilters } from './schedule-filters.tsx'
import { ScheduleGrid } from './schedule-grid.tsx'
import {
  FREE_FOR_MINUTES,
  type ScheduleValues,
  scheduleParams,
  scheduleQuery,
  toMonday,
  WEEK_DAYS,
} from './schedule-query.ts'
import styles from './schedule-screen.module.css'
import { useBookingId } from './use-booking-id.ts'
import { useChanged } from './use-changed.ts'
import { type MoveQuestion as Question, useMoves } from './use-moves.ts'
import { useNow } from './use-now.ts'

/** The schedule (rules §28.2): every pod's day with its bookings. Access to page 6 includes it. */
export function ScheduleScreen() {
  useDocumentTitle('Schedule')
  const [values, setUrl] = useUrlState(scheduleParams)
  const query = useQuery({ ...scheduleQuery(values), placeholderData: keepPreviousData })
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
  const findBookingId = useBookingId()
  /** The booking that was chosen last. */
  const wanted = useRef<Booked>(undefined)

  const stored = useMemo(() => (schedule ? toRowGroups(schedule) : []), [schedule])
  const all = useMemo(() => moves.reduce<readonly RowGroup[]>(moveBooking, stored), [stored, moves])
  // The filters choose among pods, and the week is that of one.
  const groups = useMemo(() => (isWeek ? all : filterRows(all, values)), [all, isWeek, values])
  const changed = useChanged(schedule, stored, own)
  const pod = isWeek ? schedule?.pods[0] : undefined
  const goToDay = (day: string) => setUrl({ date: day === getBusinessDay() ? '' : day })
  const step = isWeek ? WEEK_DAYS : 1
  const days = isWeek ? `${toMonday(date)} – ${addDays(toMonday(date), WEEK_DAYS - 1)}` : toDateText(date)

  usePrefetch(values, date, step)

  return (
    <div className={styles.screen}>
      <PageHeader
        title={pod ? pod.title : 'Schedule'}
        count={schedule && !query.isPlaceholderData ? toCountText(groups) : undefined}
        secondaryActions={
          <div className={styles.days}>
            {isWeek && (
              <Button icon={<IconArrowLeft size={16} />} onClick={() => setUrl({ pod: '' })}>
                All pods
              </Button>
            )}
            <Button onClick={() => goToDay(getBusinessDay())} aria-pressed={values.date === ''}>
              Today
            </Button>
            <IconAction
              label={isWeek ? 'Previous week' : 'Previous day'}
              icon={<IconChevronLeft />}
              onClick={() => goToDay(addDays(date, -step))}
            />
            <IconAction
              label={isWeek ? 'Next week' : 'Next day'}
              icon={<IconChevronRight />}
              onClick={() => goToDay(addDays(date, step))}
            />
            <h2 className={styles.date} data-week={isWeek || undefined} aria-live="polite">
              {days}
            </h2>
            <CalendarButton
              label="Choose a day"
              from={date}
              to={date}
              getToday={getBusinessDay}
              toChoices={toDayChoices}
              onChoose={goToDay}
            />
          </div>
        }
      />
      {!isWeek && <ScheduleFilters values={values} schedule={schedule} setUrl={setUrl} />}
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
      {query.error && (!schedule || query.isPlaceholderData) ? null : !schedule ? (
        <Waiting />
      ) : all.length === 0 ? (
        <NoPods values={values} onClear={() => setUrl({ location: '', pod: '' })} />
      ) : groups.length === 0 ? (
        <EmptyState
          framed
          action={
            <Button onClick={() => setUrl({ feature: '', seats: undefined, free: undefined, for: undefined })}>
              Clear filters
            </Button>
          }
        >
          No pod matches these filters.
        </EmptyState>
      ) : isPhone ? (
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
      {isPrinting && <PrintedSchedule days={days} groups={groups} now={now} />}
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

  async function open(booked: Booked) {
    wanted.current = booked
    try {
      const found = await findBookingId(booked)
      // Another may have been opened meanwhile.
      if (found && wanted.current === booked) opened.show(found._id)
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

function toDayChoices(today: string) {
  return [
    { label: 'Yesterday', from: addDays(today, -1), to: addDays(today, -1) },
    { label: 'Today', from: today, to: today },
    { label: 'Tomorrow', from: addDays(today, 1), to: addDays(today, 1) },
  ]
}

function toCountText(groups: readonly RowGroup[]): string {
  const rows = groups.flatMap((group) => group.rows)
  const bookings = rows.reduce((sum, row) => sum + row.bookings.length, 0)
  const pods = new Set(rows.map(({ podId }) => podId)).size
  return pods === 1 && rows.length > 1
    ? toCounted(bookings, 'booking', 'bookings')
    : `${toCounted(bookings, 'booking', 'bookings')} in ${toCounted(pods, 'pod', 'pods')}`
}

/** Prefetches the next and the previous day or week, so that they appear at once. */
function usePrefetch(values: { location: string; pod: string }, date: string, step: number) {
  const queryClient = useQueryClient()
  const { location, pod } = values
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const day of [addDays(date, step), addDays(date, -step)]) {
        void queryClient.prefetchQuery({ ...scheduleQuery({ date: day, location, pod }), staleTime: 30_000 })
      }
    }, PREFETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [queryClient, date, step, location, pod])
}

const PREFETCH_AFTER_MS = 1_500

function NoPods({ values, onClear }: { values: { location: string; pod: string }; onClear: () => void }) {
  const mayAddPods = useMay().call('pods.create')
  if (values.pod !== '' || values.location !== '') {
    return (
      <EmptyState framed action={<Button onClick={onClear}>Show all pods</Button>}>
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
