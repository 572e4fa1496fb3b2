import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { createId } from '../ids.ts'
import { buildLocation, buildPod } from './factories.ts'

const PODS_AT_A_LOCATION = 25
const CUSTOMERS = 3000
const FIRSTNAMES =
  'Thandi,Johan,Zanele,Pieter,Ayesha,Sipho,Lerato,Nomsa,Willem,Fatima,Kagiso,Naledi,Riaan,Priya,Bongani'
const LASTNAMES =
  'Nkosi,Botha,Dlamini,van der Merwe,Patel,Mokoena,Khumalo,Naidoo,Jacobs,Pillay,Mthembu,de Villiers,Sithole,Adams,Zulu'

/**
 * Creates a busy day of many pods: bookings of 15 minutes to an hour, with gaps between them, that hold their slots.
 */
export async function fillDay(db: Db, date: string, { pods, bookingsEach }: { pods: number; bookingsEach: number }) {
  const slug = createId()
  for (let filled = 0; filled < pods; filled += PODS_AT_A_LOCATION) {
    const location = await buildLocation(db, { name: `House ${1 + filled / PODS_AT_A_LOCATION}` })
    const model = await buildPod(db, { location_id: location.id, title: `Room ${filled}`, slug: `${slug}-${filled}` })
    await sql`
      insert into pods (id, title, slug, description, direction, location_id, category, time_slot, tags, booking_requirements,
                        availability, cancellation_policy, safety_and_property, pod_user_id, device_id, serial,
                        device_password, email, rate, product_id, capacity)
      select gen_random_uuid(), 'Room ' || n, ${`${slug}-`} || n, description, direction, location_id, category, time_slot,
             tags, booking_requirements, availability, cancellation_policy, safety_and_property, pod_user_id, device_id,
             serial, device_password, email, rate, product_id, 1 + n % 8
        from pods, generate_series(${filled + 1}::int, ${Math.min(pods, filled + PODS_AT_A_LOCATION) - 1}::int) as n
       where id = ${model.id}`.execute(db)
  }
  await sql`
    insert into users (id, firstname, lastname, email, mobile, role, username)
    select gen_random_uuid(), (string_to_array(${FIRSTNAMES}, ','))[1 + n % 15],
           (string_to_array(${LASTNAMES}, ','))[1 + n / 15 % 15] || case when n < 225 then '' else ' ' || n / 225 end,
           'customer' || n || '@' || ${slug} || '.example.com', '+27 82 555 0101', 'user', 'customer' || n
      from generate_series(0, ${CUSTOMERS - 1}) as n`.execute(db)
  await fillBookings(db, date, bookingsEach)
}

/** Creates such bookings for all existing pods, by existing customers. */
export async function fillBookings(db: Db, date: string, bookingsEach: number) {
  await sql`
    with customer as (
      select id, row_number() over (order by id) - 1 as place from users where deleted_at is null order by id limit ${CUSTOMERS}
    ), pod as (
      select id, location_id, row_number() over (order by id) as place from pods where deleted_at is null
    ), planned as (
      select pod.*, n, (pod.place * 7 + n * 3) % 4 as quarters, pod.place % 3 as late
        from pod, generate_series(0, ${bookingsEach - 1}) as n
    ), booking as (
      insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status)
      select gen_random_uuid(), planned.id, location_id, customer.id, ${date}::date, 'meeting',
             ${date}::date::timestamp at time zone 'UTC' + interval '6 hours' + (n * 90 + late * 15) * interval '1 minute',
             ${date}::date::timestamp at time zone 'UTC' + interval '6 hours'
               + (n * 90 + late * 15 + 15 + quarters * 15) * interval '1 minute',
             2 + quarters, (array['Pending', 'Confirmed', 'Completed'])[1 + (planned.place + n) % 3]
        from planned join customer on customer.place = (planned.place * 31 + n * 577) % (select count(*) from customer)
      returning *
    )
    insert into booking_slots (pod_id, slot_start, booking_id)
    select pod_id, slot_start, id
      from booking, generate_series(start_time, end_time - interval '15 minutes', interval '15 minutes') as slot_start`.execute(
    db,
  )
  await sql`analyze pods, users, bookings, booking_slots`.execute(db)
}
