import type { z } from 'zod'
import { DAY, MINUTE } from '#contract/durations.ts'
import { findHours, type HourSet } from '#contract/opening-hours.ts'
import type { Schedule, ScheduleQuery } from '#contract/schedule.ts'
import { toDate, toMinutes } from '#contract/slots.ts'
import type { AppContext } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { findObstaclesOfEach } from '../availability/availability.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import {
  type ClosedTime,
  getDiscountMinutes,
  listBookings,
  listClosedTimes,
  listFeatures,
  listPods,
  type PodBookings,
  readHours,
} from './schedule.repository.ts'

const DAY_MINUTES = 24 * 60

/** Returns a day of all pods or of those of a location, or several days of one pod. */
export async function getSchedule(context: AppContext, query: z.output<typeof ScheduleQuery>): Promise<Schedule> {
  const { db } = context
  const { date, days = 1, location, pod, freeFrom, freeTo } = query
  const from = new Date(`${date}T00:00:00.000Z`)
  const range = { from, to: new Date(from.getTime() + days * DAY), location, pod }
  const now = toBusinessNow(context)
  await planClosuresAhead(db, [{ start: from, end: range.to }], now)
  const [booked, found, features, hours, closed, discountMinutes] = await Promise.all([
    listBookings(db, range),
    listPods(db, range),
    listFeatures(db),
    readHours(db, range),
    listClosedTimes(db, range),
    getDiscountMinutes(db),
  ])
  const pods = found.toSorted((a, b) =>
    a.location_id === b.location_id
      ? compare(a.title, b.title) || compare(a.id, b.id)
      : compare(a.name, b.name) || compare(a.location_id, b.location_id),
  )
  const featurePlaces = toPlaces(features.map(({ id }) => id))
  const minute = (minutes: number) => new Date(from.getTime() + minutes * MINUTE)
  const free =
    freeFrom === undefined || freeTo === undefined
      ? undefined
      : await listFree(db, pods, { start: minute(freeFrom), end: minute(freeTo) })
  const locations = [...new Map(pods.map((row) => [row.location_id, row])).values()]
  const locationPlaces = toPlaces(locations.map(({ location_id }) => location_id))
  return {
    date,
    days,
    now: now.toISOString(),
    locations: locations.map((row) => ({
      _id: row.location_id,
      name: row.name,
      city: row.city,
      isBlocked: row.location_is_blocked,
    })),
    features: features.map(({ id, name }) => ({ _id: id, name })),
    pods: pods.map((row) => ({
      _id: row.id,
      title: row.title,
      location: locationPlaces.get(row.location_id) ?? 0,
      capacity: row.capacity,
      rate: Number(row.rate),
      buffer: row.buffer_minutes,
      features: row.features.flatMap((id) => featurePlaces.get(id) ?? []),
      isBlocked: row.is_blocked,
      isDeleted: row.is_deleted,
    })),
    discountMinutes,
    ...(free && { free }),
    bookings: toColumns(pods, booked, pod !== undefined),
    closures: closed.flatMap((time) => toClosure(pods, time)),
    hours: hours.size === 0 ? [] : listHours(pods, hours, date, days),
  }
}

type PodRow = { id: string; location_id: string }

/** Joins the bookings pod by pod, in the order of `pods`. Skips pods that were added between the two queries. */
function toColumns(pods: readonly PodRow[], booked: readonly PodBookings[], withIds: boolean): Schedule['bookings'] {
  const byPod = new Map(booked.map((columns) => [columns.pod_id, columns]))
  const shown = pods.flatMap(({ id }) => byPod.get(id) ?? [])
  const join = <T>(toColumn: (columns: PodBookings) => readonly T[]): T[] => ([] as T[]).concat(...shown.map(toColumn))
  return {
    pod: ([] as number[]).concat(...pods.map(({ id }, place) => byPod.get(id)?.start.map(() => place) ?? [])),
    start: join(({ start }) => start),
    end: join(({ end }) => end),
    status: join(({ status }) => status),
    buffer: join(({ buffer }) => buffer),
    who: join(({ who }) => who),
    checkedIn: toRows(join(({ is_checked_in }) => is_checked_in)),
    noted: toRows(join(({ has_note }) => has_note)),
    ...(withIds && { _id: join(({ id }) => id), version: join(({ version }) => version) }),
  }
}

/** Returns the indexes of the pods that can be booked for the time, as a booking would find. It may have passed. */
async function listFree(db: Db, pods: readonly PodRow[], time: { start: Date; end: Date }): Promise<number[]> {
  const intervals = pods.map(({ id }) => ({ podId: id, ...time }))
  const obstacles = await findObstaclesOfEach(db, intervals, { now: time.start, pages: [], mayHavePassed: true })
  return toRows(obstacles.map(({ length }) => length === 0))
}

/** Returns the closure with the indexes of the shown pods that it closes; nothing when it closes none. */
function toClosure(pods: readonly PodRow[], { id, reason, start, end, ...closed }: ClosedTime): Schedule['closures'] {
  const places = pods.flatMap((pod, place) =>
    pod.location_id === closed.location_id || closed.pod_ids.includes(pod.id) ? [place] : [],
  )
  return places.length === 0 ? [] : [{ _id: id, reason, start, end, pods: places }]
}

/** Returns, day by day, the pods with opening hours of their own or of their location, grouped by equal hours. */
function listHours(
  pods: readonly PodRow[],
  hours: ReadonlyMap<string, HourSet>,
  date: string,
  days: number,
): Schedule['hours'] {
  return Array.from({ length: days }, (_, day) => {
    const dayDate = toDate(new Date(Date.parse(`${date}T00:00:00.000Z`) + day * DAY))
    const byHours = new Map<string, Schedule['hours'][number]>()
    pods.forEach(({ id, location_id }, place) => {
      const sets = [hours.get(id), hours.get(location_id)].filter((set) => set !== undefined)
      if (sets.length === 0) return
      const spans = findHours(sets, dayDate).spans.map(({ opens, closes }) => ({
        from: toMinutes(opens) + day * DAY_MINUTES,
        to: toMinutes(closes) + day * DAY_MINUTES,
      }))
      const key = JSON.stringify(spans)
      const known = byHours.get(key)
      if (known) known.pods.push(place)
      else byHours.set(key, { day, pods: [place], spans })
    })
    return [...byHours.values()]
  }).flat()
}

/** Sorts Pod 2 before Pod 10. */
const collator = new Intl.Collator('en', { numeric: true })
const compare = (a: string, b: string) => collator.compare(a, b)

/** Returns the indexes of the true flags. */
function toRows(flags: readonly boolean[]): number[] {
  const rows: number[] = []
  flags.forEach((flag, row) => {
    if (flag) rows.push(row)
  })
  return rows
}

function toPlaces(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, place) => [id, place]))
}
