import { type Insertable, sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { PAGE, pageCodes } from '#contract/pages.ts'
import type { Db } from '../db/client.ts'
import type {
  BookingsTable,
  CompaniesTable,
  Database,
  FeaturesTable,
  LocationsTable,
  PodsTable,
  StaffTable,
  TransactionsTable,
  UsersTable,
} from '../db/schema.ts'
import { createKeyText, toKeyHash, toKeyPrefix } from '../http/api-key.ts'
import { createId } from '../ids.ts'
import { createKey } from '../modules/second-factors/one-time-codes.ts'

/** Test data: `buildX(db, overrides)` inserts a valid row, making the parents it needs, and returns it. */

let counter = 0
const next = () => ++counter

/** Restarts the numbers in test data at 1, so that they do not depend on the tests before. */
export function restartCounting(): void {
  counter = 0
}

export const TEST_PASSWORD = 'correct horse battery'
/** Of TEST_PASSWORD, with the smallest parameters: comparing with it takes a hundredth of the time. */
const PASSWORD_HASH = '$argon2id$v=19$m=8,t=1,p=1$THGbrojLGb+QLbbr52fLMQ$Ek3hQh/O0CS5o0fImNH+C9q2gKZUGlJUBOwMOu958Lk'

/** The last use and confirmation of a session that never becomes idle or unconfirmed, however a test sets the clock. */
export const ALWAYS_IN_USE = new Date('2100-01-01T00:00:00.000Z')

export async function buildStaff(db: Db, overrides: Partial<Insertable<StaffTable>> = {}) {
  const row = {
    id: createId(),
    firstname: 'Thandi',
    lastname: `Nkosi ${next()}`,
    email: `staff${next()}@example.com`,
    phone_number: '+27 21 555 0100',
    password_hash: PASSWORD_HASH,
    role: 'Operations',
    pages: [...pageCodes],
    ...overrides,
  }
  return db.insertInto('staff').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Inserts a confirmed second factor and returns its key. */
export async function buildSecondFactor(
  db: Db,
  staffId: string,
  overrides: Partial<Insertable<Database['second_factors']>> = {},
) {
  const key = createKey()
  const now = new Date('2026-11-21T08:59:00.000Z')
  const row = {
    id: createId(),
    staff_id: staffId,
    secret: `v0:${key}`,
    created_at: now,
    confirmed_at: now,
    ...overrides,
  }
  await db.insertInto('second_factors').values(row).execute()
  return { key }
}

/** Returns the code that the authenticator app shows at that moment. */
export const toCode = (key: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: at.getTime() })

export async function buildUser(db: Db, overrides: Partial<Insertable<UsersTable>> = {}) {
  const number = next()
  const row = {
    id: createId(),
    firstname: 'Johan',
    lastname: `Botha ${number}`,
    email: `user${number}@example.com`,
    mobile: '+27 82 555 0101',
    role: 'user',
    username: `johan${number}`,
    ...overrides,
  }
  return db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function buildCompany(db: Db, overrides: Partial<Insertable<CompaniesTable>> = {}) {
  const number = next()
  const row = {
    id: createId(),
    name: `Baobab Consulting ${number}`,
    email: `office${number}@baobab.example`,
    ...overrides,
  }
  return db.insertInto('companies').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function buildMail(db: Db, overrides: Partial<Insertable<Database['mails']>> = {}) {
  const number = next()
  const row = {
    id: createId(),
    kind: 'invitation' as const,
    to_name: `Thandi ${number}`,
    to_email: `person${number}@example.com`,
    subject: `Your account ${number}`,
    html: '<h1>Hello</h1>',
    text: 'Hello',
    state: 'kept' as const,
    created_at: new Date('2026-11-21T09:00:00.000Z'),
    ...overrides,
  }
  return db.insertInto('mails').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Inserts a job that was given up, and returns its id. */
export async function buildFailedJob(
  db: Db,
  kind: string,
  payload: Readonly<Record<string, string>>,
  last_error = '451 try again later',
): Promise<string> {
  const at = new Date('2026-11-21T08:00:00.000Z')
  const failed = { run_at: at, dead_at: at, tries: 10, max_tries: 10, last_error }
  const job = { kind, key: `${kind} ${createId()}`, payload: JSON.stringify(payload), ...failed }
  return (await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()).id
}

/** Inserts an API key, by default of a new staff member; returns the row with the text of the key. */
export async function buildApiKey(db: Db, overrides: Partial<Insertable<Database['api_keys']>> = {}) {
  const key = createKeyText()
  const row = {
    id: createId(),
    name: `System ${next()}`,
    prefix: toKeyPrefix(key),
    key_hash: toKeyHash(key),
    pages: [PAGE.bookings],
    location_ids: null,
    expires_on: null,
    created_by: overrides.created_by ?? (await buildStaff(db)).id,
    created_at: new Date('2026-11-21T09:00:00.000Z'),
    revoked_at: null,
    last_used_at: null,
    last_used_address: null,
    ...overrides,
  }
  return { ...(await db.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow()), key }
}

export async function buildRolePreset(db: Db, overrides: Partial<Insertable<Database['role_presets']>> = {}) {
  const row = { id: createId(), name: `Preset ${next()}`, pages: [PAGE.bookings], location_ids: null, ...overrides }
  return db.insertInto('role_presets').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Inserts a webhook with one delivery; returns the delivery. */
export async function buildDelivery(db: Db, overrides: Partial<Insertable<Database['webhook_deliveries']>> = {}) {
  const created_at = new Date('2026-11-21T09:00:00.000Z')
  const webhook = {
    id: createId(),
    url: 'https://example.com/hook',
    events: ['booking.created'],
    secret: 'v0:',
    created_at,
  }
  await db.insertInto('webhooks').values(webhook).execute()
  const row = {
    webhook_id: webhook.id,
    event: 'booking.created',
    body: '{}',
    state: 'sent' as const,
    created_at,
    ...overrides,
  }
  return db.insertInto('webhook_deliveries').values(row).returningAll().executeTakeFirstOrThrow()
}

/** The address of the locations, as it is on the wire. */
export const ADDRESS = {
  Street: '19 Dock Road',
  city: 'Cape Town',
  state: 'Western Cape',
  zip: '8001',
  country_code: 'ZA',
  latitude: -33.9036,
  longitude: 18.4208,
}

export async function buildLocation(db: Db, overrides: Partial<Insertable<LocationsTable>> = {}) {
  const { Street: street, ...address } = ADDRESS
  const row = { id: createId(), name: `Waterfront ${next()}`, street, ...address, ...overrides }
  const location = await db.insertInto('locations').values(row).returningAll().executeTakeFirstOrThrow()
  if (location.is_blocked) await buildClosure(db, { ...untilFurtherNotice, location_id: location.id })
  return location
}

/** The closure that blocks a pod or location. */
const untilFurtherNotice = { reason: 'Blocked', starts: new Date('2026-01-01T09:00:00.000Z'), ends: null }

export async function buildFeature(db: Db, overrides: Partial<Insertable<FeaturesTable>> = {}) {
  const number = next()
  const row = { id: createId(), name: `Wi-Fi ${number}`, icon: 'wifi', position: number, ...overrides }
  return db.insertInto('features').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function buildPod(db: Db, overrides: Partial<Insertable<PodsTable>> = {}) {
  const number = next()
  const id = overrides.id ?? createId()
  const row = {
    id,
    title: `Pod ${number}`,
    slug: `pod-${number}`,
    description: 'A quiet room for four',
    direction: 'https://maps.example.com/?q=pod',
    location_id: overrides.location_id ?? (await buildLocation(db)).id,
    category: 'meeting-room',
    time_slot: '9am-5pm',
    tags: 'Cape Town, Meeting Room',
    booking_requirements: 'Bring an identity document',
    availability: 'Every day',
    cancellation_policy: 'Free until an hour before',
    safety_and_property: 'Cameras at the entrance',
    pod_user_id: `door-user-${number}`,
    device_id: `device-${number}`,
    serial: `serial-${number}`,
    device_password: 'v0:door-secret',
    email: 'host@example.com',
    rate: '2.5',
    product_id: 'prod00qd',
    ...overrides,
  }
  const pod = await db.insertInto('pods').values(row).returningAll().executeTakeFirstOrThrow()
  await db
    .insertInto('pod_images')
    .values({ pod_id: id, position: 0, public_id: `image-${number}`, url: `/uploads/image-${number}.webp` })
    .execute()
  if (pod.is_blocked) await buildClosure(db, { ...untilFurtherNotice, podId: id })
  return pod
}

/** Fields, on the wire, of an unpaid booking whose day has not come. */
export const NOTHING_HAPPENED = {
  checkedInAt: null,
  noShowAt: null,
  endedAt: null,
  releasedFrom: null,
  note: '',
  seriesId: null,
  price: null,
}

/** Inserts a booking with its slots: 09:00–10:00 on 23 November 2026 by default, of staff unless `user_id` is given. */
export async function buildBooking(db: Db, overrides: Partial<Insertable<BookingsTable>> = {}) {
  const id = overrides.id ?? createId()
  const start = new Date(overrides.start_time ?? '2026-11-23T09:00:00.000Z')
  const end = new Date(overrides.end_time ?? start.getTime() + 3_600_000)
  const pod = overrides.pod_id
    ? await db
        .selectFrom('pods')
        .select(['id', 'location_id'])
        .where('id', '=', overrides.pod_id)
        .executeTakeFirstOrThrow()
    : await buildPod(db)
  const row = {
    id,
    pod_id: pod.id,
    location_id: pod.location_id,
    user_id: null,
    staff_id: overrides.user_id ? null : (overrides.staff_id ?? (await buildStaff(db)).id),
    booking_date: start.toISOString().slice(0, 10),
    purpose: 'meeting',
    slot_count: (end.getTime() - start.getTime()) / 900_000 + 1,
    status: 'Pending' as const,
    ...overrides,
    start_time: start,
    end_time: end,
  }
  const booking = await db.insertInto('bookings').values(row).returningAll().executeTakeFirstOrThrow()
  if (booking.status !== 'Cancelled') {
    const slots = []
    for (let at = start.getTime(); at < end.getTime(); at += 900_000) {
      slots.push({ pod_id: pod.id, slot_start: new Date(at), booking_id: id })
    }
    await db.insertInto('booking_slots').values(slots).execute()
  }
  return booking
}

/** Inserts a series of one booking; returns the booking. */
export async function buildSeries(db: Db, overrides: Partial<Insertable<BookingsTable>> = {}) {
  const id = createId()
  const staff_id = overrides.staff_id ?? (await buildStaff(db)).id
  const pod_id = overrides.pod_id ?? (await buildPod(db)).id
  const start_time = new Date('2026-11-23T09:00:00.000Z')
  const end_time = new Date('2026-11-23T10:00:00.000Z')
  await db
    .insertInto('series')
    .values({
      id,
      rule: 'FREQ=WEEKLY;COUNT=1',
      pod_id,
      purpose: 'meeting',
      start_time,
      end_time,
      made_by_staff_id: staff_id,
      created_at: start_time,
    })
    .execute()
  return buildBooking(db, { staff_id, pod_id, start_time, end_time, series_id: id, ...overrides })
}

/** Inserts a closure, by default of a new pod from 06:00 to 12:00 on 24 November 2026. */
export async function buildClosure(
  db: Db,
  { podId, ...overrides }: Partial<Insertable<Database['closures']>> & { podId?: string } = {},
) {
  const row = {
    id: createId(),
    location_id: null,
    reason: 'Painting',
    starts: new Date('2026-11-24T06:00:00.000Z'),
    ends: new Date('2026-11-24T12:00:00.000Z'),
    rrule: null,
    created_by: null,
    ...overrides,
  }
  const closure = await db.insertInto('closures').values(row).returningAll().executeTakeFirstOrThrow()
  if (row.location_id === null) {
    const pod_id = podId ?? (await buildPod(db)).id
    await db.insertInto('closure_pods').values({ closure_id: row.id, pod_id }).execute()
  }
  await sql`
    insert into closure_instances (closure_id, starts, ends)
    values (${row.id}, ${row.starts}, coalesce(${row.ends}::timestamptz, 'infinity'))`.execute(db)
  return closure
}

export async function buildTransaction(db: Db, overrides: Partial<Insertable<TransactionsTable>> = {}) {
  const number = next()
  const row = {
    id: createId(),
    booking_id: overrides.booking_id ?? (await buildBooking(db)).id,
    amount: '150.00',
    currency: 'ZAR',
    merchant_id: 'merchant-1',
    checkout_id: `checkout-${number}`,
    payment_facilitator: 'PayFast',
    status: 'completed',
    ...overrides,
  }
  return db.insertInto('transactions').values(row).returningAll().executeTakeFirstOrThrow()
}
