import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startBusyDay } from '#server/testing/busy-day.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { toBusinessNow } from './bookings.service.ts'

/** After each round of a busy day, the whole database must be as the rules say. */

const isEmbedded = process.env.TEST_ENGINE === 'embedded'
/** One on the embedded engine, which takes one transaction after the other. */
const DAYS = process.env.TEST_LONG ? 60 : isEmbedded ? 1 : 3
const ROUNDS = process.env.TEST_LONG ? 40 : 15

const test = useTestApp({}, { isOwn: true })

/** Rows that must not exist, by what would be wrong. */
function listBroken(now: Date): Record<string, RawBuilder<unknown>> {
  const isClosedForGood = (of: RawBuilder<unknown>) => sql`exists (
    select from closures join closure_instances as instance on instance.closure_id = closures.id
     where instance.ends = 'infinity' and instance.starts <= ${now} and ${of})`
  const ofPod = sql`closures.id in (select closure_id from closure_pods where pod_id = pods.id)`
  return {
    'a booking to come is elsewhere than its pod': sql`
      select bookings.id from bookings join pods on pods.id = pod_id
       where bookings.location_id <> pods.location_id and end_time > ${now}`,
    'a booking to come is in a closure that was to move or cancel it': sql`
      select bookings.id, closures.id as closure from bookings
        join pods on pods.id = bookings.pod_id
        join closures on closures.location_id = pods.location_id or ${ofPod}
        join closure_instances as instance on instance.closure_id = closures.id
       where bookings.status in ('Pending', 'Confirmed') and start_time > ${now} and closures.reason = 'Broken'
         and closures.ended_at is null and instance.starts < end_time and instance.ends > start_time`,
    'a pod is blocked without a closure, or the reverse': sql`
      select id from pods where is_blocked <> ${isClosedForGood(ofPod)}`,
    'a location is blocked without a closure, or the reverse': sql`
      select id from locations where is_blocked <> ${isClosedForGood(sql`closures.location_id = locations.id`)}`,
    'a booking has another version than its latest change': sql`
      select id from bookings
       where version <> (select max(version) from audit where entity = 'booking' and entity_id = bookings.id)`,
    'a booking costs more or less than its balance says': sql`
      select bookings.id, balance_due, price, after from bookings
        join audit on entity = 'booking' and entity_id = bookings.id and action = 'create'
       where status <> 'Cancelled'
         and balance_due - price <> coalesce((after ->> 'balance_due')::numeric, 0) - (after ->> 'price')::numeric`,
    'more is given back than was paid': sql`
      select id, balance_due from bookings
       where status = 'Cancelled' and balance_due not between 0 - (
         select coalesce(sum(amount), 0) from transactions
          where booking_id = bookings.id and transactions.status = 'completed') and 0`,
    'a change begins with another value than the one before it ended with': sql`
      select * from (
        select entity, entity_id, version, field, before -> field as was, lag(after -> field) over earlier as became,
               lag(version) over earlier is null as is_first
          from audit, jsonb_object_keys(coalesce(before, after)) as field
         where version is not null
        window earlier as (partition by entity, entity_id, field order by version)
      ) as changed where was is distinct from became and not is_first`,
    'a booking has other values than its history': sql`
      select * from (
        select distinct on (entity_id, field) entity_id, field, after -> field as became, to_jsonb(bookings) -> field as is_now
          from audit join bookings on bookings.id = entity_id, jsonb_object_keys(after) as field
         where entity = 'booking' order by entity_id, field, audit.version desc
      ) as latest where became is distinct from is_now`,
    'a booking has states that exclude each other': sql`
      select id from bookings
       where (no_show_at is not null and checked_in_at is not null)
          or (released_from is not null and no_show_at is null and ended_at is null)
          or ((no_show_at is not null or ended_at is not null) and status not in ('Completed', 'Rated'))`,
  }
}

async function findBroken(): Promise<string[]> {
  const { overlaps, wrongSlots } = await checkBookings(test.db)
  const found = [overlaps > 0 && 'bookings overlap', wrongSlots > 0 && 'bookings have wrong slots']
  for (const [what, query] of Object.entries(listBroken(toBusinessNow(test.context)))) {
    const { rows } = await query.execute(test.db)
    found.push(rows.length > 0 && `${what}: ${JSON.stringify(rows)}`)
  }
  return found.filter((one) => one !== false)
}

const names = Array.from({ length: DAYS }, (_, index) => `day ${index + 1}`)

describe('a busy day', () => {
  it.each(names)('leaves bookings, slots, closures and history in order: %s', { timeout: 120_000 }, async (name) => {
    const day = await startBusyDay(test, name)
    for (let round = 0; round < ROUNDS; round++) {
      await day.playRound()
      expect(await findBroken(), day.log.slice(-40).join('\n')).toEqual([])
    }
    const worked = day.log.filter((line) => line.startsWith('2')).length
    // If nearly everything had been refused, the day would prove nothing.
    expect(worked, day.log.join('\n')).toBeGreaterThan(ROUNDS)
  })
})
