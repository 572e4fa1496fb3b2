import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { addDays } from '#web/lib/days.ts'
import { toDateText } from '#web/lib/format.ts'
import type { SetUrl } from '#web/lib/url-state.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { CalendarButton } from '#web/ui/calendar/calendar-button.tsx'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '#web/ui/icons/icons.tsx'
import { type ScheduleValues, scheduleQuery, toMonday, WEEK_DAYS } from './schedule-query.ts'
import styles from './schedule-screen.module.css'

type ScheduleDaysProps = { values: ScheduleValues; setUrl: SetUrl<ScheduleValues> }

/** The day of all pods, or the week of one, with buttons to other ones. */
export function ScheduleDays({ values, setUrl }: ScheduleDaysProps) {
  const date = values.date || getBusinessDay()
  const isWeek = values.pod !== ''
  const step = isWeek ? WEEK_DAYS : 1
  const goToDay = (day: string) => setUrl({ date: day === getBusinessDay() ? '' : day })

  usePrefetch(values, date, step)

  return (
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
        {toDaysText(values)}
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
  )
}

export function toDaysText({ date: chosen, pod }: ScheduleValues): string {
  const date = chosen || getBusinessDay()
  return pod === '' ? toDateText(date) : `${toMonday(date)} – ${addDays(toMonday(date), WEEK_DAYS - 1)}`
}

function toDayChoices(today: string) {
  return [
    { label: 'Yesterday', from: addDays(today, -1), to: addDays(today, -1) },
    { label: 'Today', from: today, to: today },
    { label: 'Tomorrow', from: addDays(today, 1), to: addDays(today, 1) },
  ]
}

const PREFETCH_AFTER_MS = 1_500

/** Prefetches the next and the previous day or week, so that they appear at once. */
function usePrefetch({ location, pod }: ScheduleValues, date: string, step: number) {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const day of [addDays(date, step), addDays(date, -step)]) {
        void queryClient.prefetchQuery({ ...scheduleQuery({ date: day, location, pod }), staleTime: 30_000 })
      }
    }, PREFETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [queryClient, date, step, location, pod])
}
