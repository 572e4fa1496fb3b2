import type { Schedule } from '#contract/schedule.ts'
import { toWallClock } from '#contract/slots.ts'
import type { AppContext } from '#server/context.ts'
import { listBookings, listFeatures, listPods } from './schedule.repository.ts'

const DAY_MS = 24 * 60 * 60_000

type Query = { date: string; days?: number | undefined; location?: string | undefined; pod?: string | undefined }

/** A day of all pods, or of those of a location; or several days of one pod. */
export async function getSchedule({ db, clock, config }: AppContext, query: Query): Promise<Schedule> {
  const { date, days = 1, location, pod } = query
  const from = new Date(`${date}T00:00:00.000Z`)
  const range = { from, to: new Date(from.getTime() + days * DAY_MS), location, pod }
  const [bookings, found, features] = await Promise.all([
    listBookings(db, range),
    listPods(db, range),
    listFeatures(db),
  ])
  const pods = found.toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.location_id, b.location_id) || compare(a.title, b.title),
  )
  const podPlaces = toPlaces(pods.map(({ id }) => id))
  const featurePlaces = toPlaces(features.map(({ id }) => id))
  const locations = [...new Map(pods.map((row) => [row.location_id, row])).values()]
  const locationPlaces = toPlaces(locations.map(({ location_id }) => location_id))
  // A pod may have been added or have moved between the two queries.
  const shown = bookings.filter(({ pod_id }) => podPlaces.has(pod_id))
  return {
    date,
    days,
    now: toWallClock(clock.now(), config.businessTimeZone).toISOString(),
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
      features: row.features.flatMap((id) => featurePlaces.get(id) ?? []),
      isBlocked: row.is_blocked,
      isDeleted: row.is_deleted,
    })),
    bookings: {
      pod: shown.map(({ pod_id }) => podPlaces.get(pod_id) ?? 0),
      start: shown.map(({ start }) => start),
      end: shown.map(({ end }) => end),
      status: shown.map(({ status }) => status),
      who: shown.map(({ who }) => who),
      checkedIn: toRows(shown, ({ is_checked_in }) => is_checked_in),
      noted: toRows(shown, ({ has_note }) => has_note),
      ...(pod !== undefined && {
        _id: shown.map(({ id }) => id),
        version: shown.map(({ version }) => version),
      }),
    },
    closures: [],
    hours: [],
  }
}

/** Pod 2 before Pod 10. */
const collator = new Intl.Collator('en', { numeric: true })
const compare = (a: string, b: string) => collator.compare(a, b)

function toRows<T>(items: readonly T[], is: (item: T) => boolean): number[] {
  return items.flatMap((item, row) => (is(item) ? [row] : []))
}

function toPlaces(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, place) => [id, place]))
}
