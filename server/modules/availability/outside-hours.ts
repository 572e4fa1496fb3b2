import { sql } from 'kysely'
import { toDate } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { type HourScope, type HoursOfPod, hoursOfPod, toHourSets } from '../hours/hours.repository.ts'
import { explainHours, toOpenDay } from './obstacles.ts'

const BATCH = 5000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Counts the upcoming bookings of a pod, or of a location's pods, that are outside the opening hours, and returns the
 * date of the first. Such bookings stay: hours only limit new ones.
 */
export async function countOutsideHours(
  db: Db,
  { owner, id }: HourScope,
  now: Date,
): Promise<{ count: number; firstDate: string | null }> {
  const column = sql.ref(owner === 'pod' ? 'pods.id' : 'pods.location_id')
  const pods = await sql<{ id: string; hours: HoursOfPod }>`
    select id, ${hoursOfPod(sql`${toDate(now)}`, sql`'infinity'`)} as hours
      from pods where ${hasId(column, id)} and deleted_at is null`.execute(db)
  const hoursOf = new Map(pods.rows.map((pod) => [pod.id, toHourSets(pod.hours)]))
  const openDays = new Map<string, ReturnType<typeof toOpenDay>>()

  function isOutside(booking: { pod_id: string; start_time: Date; end_time: Date }): boolean {
    const date = toDate(booking.start_time)
    const key = `${booking.pod_id} ${date}`
    const day = openDays.get(key) ?? toOpenDay(hoursOf.get(booking.pod_id) ?? [], date)
    openDays.set(key, day)
    return explainHours(day, { start: booking.start_time, end: booking.end_time }).length > 0
  }

  let count = 0
  let firstDate: string | null = null
  let last = { start_time: now, id: FIRST_ID }
  for (let length = BATCH; length === BATCH;) {
    const bookings = await db
      .selectFrom('bookings')
      .select(['id', 'pod_id', 'start_time', 'end_time'])
      .where(sql<boolean>`pod_id = any(${[...hoursOf.keys()]}::uuid[])`)
      .where('status', '<>', 'Cancelled')
      .where(sql<boolean>`(start_time, id) > (${last.start_time}, ${last.id}::uuid)`)
      .orderBy('start_time')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const outside = bookings.filter(isOutside)
    count += outside.length
    firstDate ??= outside[0] ? toDate(outside[0].start_time) : null
    last = bookings.at(-1) ?? last
    length = bookings.length
  }
  return { count, firstDate }
}
