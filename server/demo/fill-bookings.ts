import { sql } from 'kysely'
import { OPENING_HOUR, purposes, SLOT_MINUTES } from '#contract/slots.ts'
import type { Db, Tx } from '../db/client.ts'
import type { PlanBatch } from './booking-plan.ts'
import { idOf } from './uuid-sql.ts'

/** The pods and people of the bookings; each list is numbered from 1 in its order. */
export type FillSources = {
  podIds: readonly string[]
  userIds: readonly string[]
  staffIds: readonly string[]
  companyIds?: readonly string[]
}

type FillMoment = {
  /** Now on the business's wall clock, labelled Z (rules §1.1): decides what is over, running or to come. */
  wallNow: Date
  /** The same moment as a true instant. */
  now: Date
  timeZone: string
}

/** Numbers the sources in temporary tables of this connection, for all batches. */
export async function prepareFill(db: Db | Tx, sources: FillSources): Promise<void> {
  await dropFill(db)
  await sql`create temporary table fill_pods as
    select n::integer as n, pods.id, pods.location_id, pods.rate
    from unnest(${sources.podIds}::uuid[]) with ordinality as chosen (id, n) join pods on pods.id = chosen.id`.execute(
    db,
  )
  await sql`create temporary table fill_users as
    select n::integer as n, id from unnest(${sources.userIds}::uuid[]) with ordinality as chosen (id, n)`.execute(db)
  await sql`create temporary table fill_staff as
    select n::integer as n, id from unnest(${sources.staffIds}::uuid[]) with ordinality as chosen (id, n)`.execute(db)
  await sql`create temporary table fill_companies as
    select n::integer as n, id from unnest(${sources.companyIds ?? []}::uuid[]) with ordinality as chosen (id, n)`.execute(
    db,
  )
  await sql`analyze fill_pods, fill_users, fill_staff, fill_companies`.execute(db)
}

export async function dropFill(db: Db | Tx): Promise<void> {
  await sql`drop table if exists fill_pods, fill_users, fill_staff, fill_companies`.execute(db)
}

/**
 * Inserts a batch of bookings with their slots and `transactions` payments in one statement, all or nothing. Randomness
 * is a hash of pod, day and position, so a plan gives the same bookings each time.
 *
 * Bookings of a pod and day cannot overlap: the opening hours are divided into as many parts as there are bookings, one
 * for each.
 */
export async function fillBookings(db: Db | Tx, batch: PlanBatch, transactions: number, moment: FillMoment) {
  // A booking that is paid for has one payment, or several attempts when many payments are requested.
  const attempts = Math.ceil((transactions / batch.bookings) * 1.5) + 1
  const { rows } = await sql<{ slots: number; transactions: number }>`
    with draws as materialized (
      select pods.id as pod_id, pods.location_id, pods.rate, plan.day, piece, plan.bookings,
        -- Quiet days are booked during office hours, busy ones from early to late: first slot and count of slots.
        case when plan.bookings <= 4 then 8 when plan.bookings <= 6 then 4 else 0 end as first_slot,
        case when plan.bookings <= 4 then 42 when plan.bookings <= 6 then 56 else 72 end as open_slots,
        hashint8extended(key, 1) as chance, hashint8extended(key, 2) as chance2, hashint8extended(key, 3) as chance3
      from unnest(${batch.pods}::integer[], ${batch.days}::date[], ${batch.counts}::integer[]) as plan (pod, day, bookings)
      join fill_pods pods on pods.n = plan.pod
      cross join lateral generate_series(0, plan.bookings - 1) as piece
      cross join lateral (select plan.pod * 10000000::bigint + (plan.day - date '2000-01-01') * 100 + piece as key) as keys
    ), pieces as materialized (
      select *, first_slot + piece * open_slots / bookings as piece_start,
        (piece + 1) * open_slots / bookings - piece * open_slots / bookings as piece_slots
      from draws
    ), lengths as materialized (
      select *, least(piece_slots, (array[2,2,2,3,4,4,4,4,4,4,5,6,6,8,8,12])[1 + (chance & 15)::integer]) as slots from pieces
    ), places as materialized (
      select *, piece_start + ((chance >> 8) & 1023)::integer % (piece_slots - slots + 1) as at from lengths
    ), times as materialized (
      select *, day::timestamp + make_interval(mins => ${sql.lit(OPENING_HOUR * 60)} +
        -- Most people begin on the hour or the half.
        (case when at % 2 = 1 and at > piece_start and chance2 & 3 > 0 then at - 1 else at end) * ${sql.lit(SLOT_MINUTES)}) as starts
      from places
    ), statuses as materialized (
      select *, round(slots * ${sql.lit(SLOT_MINUTES)} * rate, 2) as price, starts at time zone 'UTC' as start_time,
        (starts + make_interval(mins => slots * ${sql.lit(SLOT_MINUTES)})) at time zone 'UTC' as end_time,
        (starts at time zone ${moment.timeZone}) as start_instant,
        ((chance >> 20) & 1023) / 1024.0 as lead_draw, ((chance >> 32) & 127) as status_draw,
        ((chance2 >> 4) & 127) < 15 as by_staff, ((chance2 >> 34) & 3) > 0 as for_company, ((chance2 >> 36) & 1023) / 1024.0 as company_draw,
        -- Some people book often: low numbers come up more than high ones.
        power(((chance2 >> 12) & 1048575) / 1048576.0, 1.7) as owner_draw
      from times
    ), stamped as materialized (
      select *, date_trunc('milliseconds', case
          -- Made between ten minutes and three weeks ahead, mostly a few days; what is yet to come was made before now.
          when start_instant - (interval '10 minutes' + power(lead_draw, 2.5) * interval '21 days') < ${moment.now}
          then start_instant - (interval '10 minutes' + power(lead_draw, 2.5) * interval '21 days')
          else ${moment.now}::timestamptz - power(lead_draw, 2) * interval '12 days'
        end - ((chance3 >> 8) & 65535) * interval '9 milliseconds') as created_at,
        case
          when start_time <= ${moment.wallNow} and end_time > ${moment.wallNow} then 'Processing'
          when status_draw < 9 then 'Cancelled'
          when end_time <= ${moment.wallNow} then case when status_draw < 54 then 'Rated' else 'Completed' end
          when status_draw < 80 then 'Confirmed' else 'Pending'
        end as status
      from statuses
    ), ready as materialized (
      select ${idOf('stamped.created_at')} as id, stamped.*, users.id as user_id, staff.id as staff_id,
        companies.id as company_id, users.id is not null or companies.id is not null as is_sold
      from stamped
      left join fill_users users on not by_staff
        and users.n = 1 + floor(owner_draw * (select count(*) from fill_users))::integer
      left join fill_staff staff on by_staff
        and staff.n = 1 + floor(owner_draw * (select count(*) from fill_staff))::integer
      left join fill_companies companies on by_staff and for_company
        and companies.n = 1 + floor(company_draw * (select count(*) from fill_companies))::integer
    ), made as (
      insert into bookings (id, pod_id, location_id, user_id, staff_id, company_id, booking_date, purpose, start_time, end_time,
        slot_count, status, created_at, price, rate, discount_minutes, cancel_policy, no_show_at)
      select id, pod_id, location_id, user_id, staff_id, company_id, day, (${purposes}::text[])[1 + ((chance3 & 7) / 3)::integer],
        start_time, end_time, slots + 1, status, created_at, ${ifSold('price')}, ${ifSold('rate')}, ${ifSold('0')},
        ${ifSold('(select cancel_policy from pricing)')},
        -- Marked when it was over, so that no time of it was freed.
        case when status = 'Completed' and is_sold and (chance3 >> 40) & 31 = 0
          then end_time at time zone 'UTC' at time zone ${moment.timeZone} end
      from ready order by created_at
    ), held as (
      insert into booking_slots (pod_id, slot_start, booking_id)
      select pod_id, slot_start, id from ready
      cross join lateral generate_series(start_time, end_time - interval '15 minutes', interval '15 minutes') as slot_start
      where status <> 'Cancelled'
      order by pod_id, slot_start
      returning 1
    ), due as materialized (
      select ready.id as booking_id, status, attempt, price as amount,
        hashint8extended(chance3, attempt) as chance,
        -- The attempt that counts is the last, and none is later than now.
        least(created_at + make_interval(secs => (15 + ((chance3 >> 24) & 127)) / (attempt + 1.0)), ${moment.now}) as created_at
      from ready cross join generate_series(0, ${attempts}::integer - 1) as attempt
      where is_sold
      order by attempt, chance3 limit ${transactions}
    ), paid as (
      insert into transactions (id, booking_id, amount, currency, merchant_id, checkout_id, payment_facilitator, status,
        created_at)
      select ${idOf('due.created_at')}, booking_id, amount, 'ZAR', facilitator[2], facilitator[3] || substr(md5(booking_id::text || attempt), 1, 20),
        facilitator[1],
        case
          when attempt > 0 then case when draw < 90 then 'created' else 'failed' end
          when status in ('Completed', 'Rated', 'Processing') then case when draw < 124 then 'completed' when draw < 126 then 'pending' else 'failed' end
          when status = 'Confirmed' then case when draw < 112 then 'completed' else 'pending' end
          when status = 'Pending' then case when draw < 60 then 'created' when draw < 123 then 'pending' else 'failed' end
          else case when draw < 50 then 'completed' when draw < 115 then 'created' else 'failed' end
        end, created_at
      from due
      cross join lateral (select (chance >> 8) & 127 as draw, case
          when chance & 15 < 7 then array['PayFast', '10023417', 'pf_']
          when chance & 15 < 11 then array['Yoco', 'yoco-podkeeper', 'ch_']
          when chance & 15 < 14 then array['Peach Payments', '8ac7a4c98b1f', '8ac9a4a0-']
          when chance & 15 < 15 then array['Ozow', 'OZ-PKP-001', 'ozw-']
          else array['SnapScan', 'snap-podkeeper', 'snp_'] end as facilitator) as chosen
      order by created_at
      returning 1
    )
    select (select count(*) from held) as slots, (select count(*) from paid) as transactions`.execute(db)
  const made = rows[0]
  if (!made) throw new Error('The statement that fills bookings returned no row')
  return made
}

/**
 * Returns SQL for a value that only bookings of customers and companies have: staff do not pay for bookings that they
 * make for themselves.
 */
function ifSold(value: string) {
  return sql.raw(`case when is_sold then ${value} end`)
}
