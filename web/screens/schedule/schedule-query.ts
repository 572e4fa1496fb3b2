import { DAY, MINUTE } from '#contract/durations.ts'
import { toWeekday } from '#contract/opening-hours.ts'
import { queryClient } from '#web/api/query-client.ts'
import { apiQuery } from '#web/api/query.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { addDays } from '#web/lib/days.ts'
import { dayParam, parseParams, textParam, type UrlParam } from '#web/lib/url-state.ts'

/** The state of the schedule, all kept in the URL. */
export const scheduleParams = {
  /** 'YYYY-MM-DD', or '' for today. */
  date: dayParam(),
  location: textParam(),
  feature: textParam(),
  seats: numberParam(),
  /** Show only pods that are free from this minute of the day … */
  free: numberParam(0),
  /** … for this many minutes. */
  for: numberParam(),
  /** Id of the pod whose week is shown. */
  pod: textParam(),
}

export type ScheduleValues = {
  date: string
  location: string
  pod: string
  free?: number | undefined
  for?: number | undefined
}

export const FREE_FOR_MINUTES = 60

/** Returns the query for a day of all pods, or for the week of one pod, from Monday. */
export function scheduleQuery({ date, location, pod, free, for: length = FREE_FOR_MINUTES }: ScheduleValues) {
  const day = date || getBusinessDay()
  const query =
    pod === ''
      ? { date: day, location, ...(free !== undefined && { freeFrom: free, freeTo: free + length }) }
      : { date: toMonday(day), pod, days: WEEK_DAYS }
  return apiQuery('schedule', 'get', { query })
}

export const WEEK_DAYS = 7

export function toMonday(day: string): string {
  return addDays(day, 1 - toWeekday(day))
}

export const scheduleList = {
  prefetch: (search: Record<string, string | undefined>) =>
    queryClient.prefetchQuery(scheduleQuery(parseParams(scheduleParams, search))),
}

/** A number of at least `least`, and at most the minutes of a day; anything else in the URL is read as undefined. */
function numberParam(least = 1): UrlParam<number | undefined> {
  const isIn = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= DAY / MINUTE
  return {
    parse: (text = '') => (isIn(text) ? Number(text) : undefined),
    format: (number) => number?.toString(),
  }
}
