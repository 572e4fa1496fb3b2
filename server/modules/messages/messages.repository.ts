import { type InferResult, type Insertable, type Selectable, sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { MAX_REMINDER_HOURS, type MessageKind, messageKinds } from '#contract/message-templates.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database, LocationsTable, ToldBooking } from '#server/db/schema.ts'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import { personName } from '../bookings/booked-by.ts'
import { ownerId } from '../bookings/booking-conditions.ts'
import { locationColumns } from '../locations/location-columns.ts'

/** The email address of the company, customer or staff member that a booking is for; null when it is unknown. */
const toEmail = sql<string>`case when bookings.company_id is not null then companies.email
                                 when bookings.user_id is not null then users.email
                                 else staff.email end`

/** Whether the company, customer or staff member has been deleted, which may be undone. */
const isReceiverDeleted = sql<boolean>`case when bookings.company_id is not null then companies.id is null
                                 when bookings.user_id is not null then users.id is null
                                 else staff.id is null end`

type ToldLocation = Pick<Selectable<LocationsTable>, 'name' | 'street' | 'city' | 'state' | 'zip' | 'country_code'>

/** Selects bookings with the contents and receiver of a message, and what the receiver has been told already. */
function selectSubjects(db: Db | Tx) {
  return db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'bookings.user_id').on('users.deleted_at', 'is', null))
    .leftJoin('staff', (join) => join.onRef('staff.id', '=', 'bookings.staff_id').on('staff.deleted_at', 'is', null))
    .leftJoin('companies', (join) =>
      join.onRef('companies.id', '=', 'bookings.company_id').on('companies.deleted_at', 'is', null),
    )
    .leftJoin('told_bookings as told', 'told.booking_id', 'bookings.id')
    .leftJoin('pods as told_pod', 'told_pod.id', 'told.pod_id')
    .leftJoin('locations as told_location', 'told_location.id', 'told.location_id')
    .select([
      'bookings.id',
      'bookings.series_id',
      'bookings.pod_id',
      'bookings.location_id',
      'bookings.start_time',
      'bookings.end_time',
      'bookings.status',
      'bookings.sequence',
      'bookings.checked_in_at',
      'pods.title as pod_title',
      'pods.direction',
      'pods.device_id',
      'pods.pod_user_id',
      'locations.reminder_hours',
      'told.booking_id as told_booking_id',
      'told.pod_id as told_pod_id',
      'told.location_id as told_location_id',
      'told.start_time as told_start',
      'told.end_time as told_end',
      'told.is_cancelled as told_cancelled',
      'told.told_at',
      'told.reminded_for',
      'told_pod.title as told_pod_title',
    ])
    .select(locationColumns)
    .select([
      sql<ToldLocation | null>`case when told_location.id is not null then jsonb_build_object(
        'name', told_location.name, 'street', told_location.street, 'city', told_location.city, 'state', told_location.state,
        'zip', told_location.zip, 'country_code', told_location.country_code) end`.as('told_location'),
      sql<boolean>`bookings.user_id is not null or bookings.company_id is not null`.as('is_for_customer'),
      sql<string>`coalesce(${toEmail}, '')`.as('to_email'),
      isReceiverDeleted.as('is_receiver_deleted'),
      sql<string>`case when bookings.company_id is not null then coalesce(companies.contact_name, '')
                       else coalesce(users.firstname, staff.firstname, '') end`.as('first_name'),
      sql<string>`case when bookings.company_id is not null
                       then coalesce(nullif(companies.contact_name, ''), companies.name, '')
                       else ${personName} end`.as('to_name'),
    ])
    .modifyEnd(podsOfAllLocations)
}

export type Subject = InferResult<ReturnType<typeof selectSubjects>>[number]

/** Returns the bookings of a series, or the single booking, that are not over at the wall clock `now`. */
export function listSubjects(tx: Tx, groupId: string, now: Date): Promise<Subject[]> {
  return selectSubjects(tx)
    .where(sql<boolean>`(bookings.series_id = ${groupId} or bookings.id = ${groupId})`)
    .where('bookings.end_time', '>', now)
    .orderBy('bookings.start_time')
    .orderBy('bookings.id')
    .execute()
}

export function findSubject(db: Db | Tx, bookingId: string): Promise<Subject | undefined> {
  return selectSubjects(db).where('bookings.id', '=', bookingId).executeTakeFirst()
}

/** Locks a booking until the transaction ends, so that its confirmation is asked for once at a time. */
export async function lockBooking(tx: Tx, bookingId: string): Promise<void> {
  await tx.selectFrom('bookings').select('id').where('id', '=', bookingId).forNoKeyUpdate().execute()
}

export function listSubjectsOf(tx: Tx, bookingIds: readonly string[]): Promise<Subject[]> {
  return selectSubjects(tx)
    .where(sql<boolean>`bookings.id = any(${bookingIds}::uuid[])`)
    .orderBy('bookings.start_time')
    .orderBy('bookings.id')
    .execute()
}

/** Returns the newest upcoming booking of a customer, which staff see in the preview of their texts. */
export function findNewestSubject(db: Db, now: Date): Promise<Subject | undefined> {
  return selectSubjects(db)
    .where('bookings.user_id', 'is not', null)
    .where('bookings.status', 'in', ['Pending', 'Confirmed'])
    .where('bookings.start_time', '>', now)
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Locks what was told of a group until the transaction ends, so that two runs for it write one after the other. */
export async function lockTold(tx: Tx, groupId: string): Promise<void> {
  await sql`
    select booking_id from told_bookings join bookings on bookings.id = booking_id
     where series_id = ${groupId} or bookings.id = ${groupId}
     order by booking_id for update of told_bookings`.execute(tx)
}

/** Returns the unsent mails of a group, locked until the transaction ends. */
export function lockUnsent(tx: Tx, groupId: string) {
  return tx
    .selectFrom('mails')
    .select(['id', 'kind', 'state', 'to_email', 'bookings'])
    .where('group_id', '=', groupId)
    .where('state', 'in', ['queued', 'failed', 'kept'])
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertMessage(
  tx: Tx,
  { bookings, ...mail }: Omit<Insertable<Database['mails']>, 'bookings'> & { bookings: readonly ToldBooking[] },
): Promise<void> {
  await tx
    .insertInto('mails')
    .values({ ...mail, bookings: JSON.stringify(bookings) })
    .execute()
}

export async function setOutdated(tx: Tx, mailIds: readonly string[]): Promise<void> {
  if (mailIds.length === 0) return
  await tx.updateTable('mails').set({ state: 'outdated' }).where('id', 'in', mailIds).execute()
}

/** Lists the groups of a company's or customer's bookings that are not over, in whatever time zone. */
export async function listGroupsOf(tx: Tx, id: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    select distinct coalesce(series_id, id) as group_id from bookings
     where (${ownerId} = ${id} or company_id = ${id}) and end_time > ${new Date(at.getTime() - DAY)}`.execute(tx)
  return rows.map(({ group_id }) => group_id)
}

/** Returns whether the mail is outdated; until the transaction ends it cannot become so. */
export async function lockOutdated(tx: Tx, mailId: string): Promise<boolean> {
  const mail = await tx.selectFrom('mails').select('state').where('id', '=', mailId).forUpdate().executeTakeFirst()
  return mail?.state === 'outdated'
}

/** Stores what the customer has been told. */
export async function setTold(tx: Tx, bookings: readonly ToldBooking[], at: Date): Promise<void> {
  await sql`
    insert into told_bookings (booking_id, pod_id, location_id, start_time, end_time, is_cancelled, told_at)
    select "bookingId", "podId", "locationId", start, "end", "isCancelled", ${at}
      from jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb)
        as told ("bookingId" uuid, "podId" uuid, "locationId" uuid, start timestamptz, "end" timestamptz, "isCancelled" boolean)
      join bookings on bookings.id = told."bookingId"
     order by bookings.id
        on conflict (booking_id) do update
       set pod_id = excluded.pod_id, location_id = excluded.location_id, start_time = excluded.start_time, end_time = excluded.end_time,
           is_cancelled = excluded.is_cancelled, told_at = excluded.told_at`.execute(tx)
}

/**
 * Marks the bookings as reminded, whether or not the reminder is sent. Each start time gets one reminder: a booking that
 * has been moved meanwhile is due again.
 */
export async function setReminded(tx: Tx, due: readonly Pick<Subject, 'id' | 'start_time'>[]): Promise<void> {
  await sql`
    update told_bookings set reminded_for = due.start_time
      from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ start_time }) => start_time)}::timestamptz[])
        as due (booking_id, start_time)
     where told_bookings.booking_id = due.booking_id`.execute(tx)
}

/**
 * Returns the groups with a booking to remind of, at the wall clock `now`. Bookings without any message so far are
 * stored as told: their customers are assumed to know them as they are.
 */
export async function listToRemind(db: Db, now: Date): Promise<string[]> {
  const due = sql`
    bookings join locations on locations.id = bookings.location_id
     where status in ('Pending', 'Confirmed') and checked_in_at is null
       and (user_id is not null or company_id is not null)
       and start_time > ${now} and start_time <= ${now}::timestamptz + make_interval(hours => reminder_hours)
       and start_time <= ${now}::timestamptz + make_interval(hours => ${MAX_REMINDER_HOURS})
       and exists (select from message_templates where kind = 'reminder' and is_enabled)`
  await sql`
    insert into told_bookings (booking_id, pod_id, location_id, start_time, end_time, is_cancelled)
    select bookings.id, pod_id, location_id, start_time, end_time, false from ${due}
       and not exists (select from told_bookings where booking_id = bookings.id)
        on conflict do nothing`.execute(db)
  const { rows } = await sql<{ group_id: string }>`
    select distinct coalesce(series_id, bookings.id) as group_id from ${due}
       and exists (select from told_bookings as told
                    where told.booking_id = bookings.id and reminded_for is distinct from bookings.start_time)`.execute(
    db,
  )
  return rows.map(({ group_id }) => group_id)
}

export async function listTemplates(db: Db | Tx) {
  const rows = await db.selectFrom('message_templates').selectAll().execute()
  return rows.toSorted((a, b) => messageKinds.indexOf(a.kind) - messageKinds.indexOf(b.kind))
}

export async function listEnabledKinds(db: Db | Tx): Promise<MessageKind[]> {
  return (await listTemplates(db)).filter(({ is_enabled }) => is_enabled).map(({ kind }) => kind)
}

/**
 * A mail's subject; empty when the mail tells of a booking at a location that the reader does not have, because the
 * subject names the pod there.
 */
const shownSubject = sql<string>`case
  when not exists (
    select from jsonb_to_recordset(mails.bookings) as told ("locationId" uuid)
     where not exists (select from locations where locations.id = "locationId")) then subject
  else '' end`

/** Returns the messages of a group that mention the booking, newest first. */
export function listMessages(db: Db | Tx, groupId: string, bookingId: string) {
  return db
    .selectFrom('mails')
    .select(['id', 'kind', shownSubject.as('subject'), 'to_email', 'state', 'created_at', 'sent_at'])
    .where('group_id', '=', groupId)
    .where(sql<boolean>`bookings @> ${JSON.stringify([{ bookingId }])}::jsonb`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}
