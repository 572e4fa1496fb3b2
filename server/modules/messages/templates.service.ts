import { sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { DAY, HOUR } from '#contract/durations.ts'
import { defaultTexts, type MessageKind, type TemplateTexts } from '#contract/message-templates.ts'
import type { MessagePreview, TemplateEdit, Templates } from '#contract/messages.ts'
import { toDate } from '#contract/slots.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { recordChange } from '../audit/record-change.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { locationRecord } from '../locations/locations.repository.ts'
import { setForAllLocations } from '../locations/set-for-all-locations.ts'
import { showCode } from '../mail/mail-template.ts'
import { isAsTold } from './choose-message.ts'
import { renderMessage, toTexts } from './message-content.ts'
import { findNewestSubject, listTemplates, type Subject } from './messages.repository.ts'

/** The texts of messages to customers, their switches, and when reminders are sent (rules §32.7). */

export const templateRecord: RecordKind = {
  entity: 'template',
  table: 'message_templates',
  label: sql`'Message: ' || record.kind`,
  isDeletable: false,
  find: async (db, id) => (await readTemplates(db)).find(({ _id }) => _id === id),
}

export async function getTemplates({ db, sendMail }: Pick<AppContext, 'db' | 'sendMail'>): Promise<Templates> {
  const locations = await db
    .selectFrom('locations')
    .select(['id', 'name', 'city', 'reminder_hours', 'version'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return {
    templates: await readTemplates(db),
    locations: locations.map(({ id, name, city, reminder_hours, version }) => ({
      _id: id,
      name,
      city,
      reminderHours: reminder_hours,
      version,
    })),
    isMailSet: sendMail !== undefined,
  }
}

async function readTemplates(db: Db | Tx): Promise<Templates['templates']> {
  return (await listTemplates(db)).map((row) => {
    const { subject, body } = toTexts(row)
    const isDefault = row.subject === null && row.body === null
    return { _id: row.id, kind: row.kind, isEnabled: row.is_enabled, subject, body, isDefault, version: row.version }
  })
}

/** Absent fields stay as they are. */
export async function setTemplate(
  context: AppContext,
  actor: Actor,
  id: string,
  edit: z.output<typeof TemplateEdit>,
): Promise<Templates> {
  return inTransaction(context.db, async (tx) => {
    const kind = await requireKind(tx, id)
    const changes: Updateable<Database['message_templates']> = {
      ...(edit.isEnabled !== undefined && { is_enabled: edit.isEnabled }),
      ...(edit.subject !== undefined && { subject: toStored(edit.subject, defaultTexts[kind].subject) }),
      ...(edit.body !== undefined && { body: toStored(edit.body, defaultTexts[kind].body) }),
    }
    await recordChange(tx, actor, templateRecord, { id, action: 'edit' }, async () => {
      if (Object.keys(changes).length === 0) return
      await tx.updateTable('message_templates').set(changes).where('id', '=', id).execute()
    })
    return getTemplates({ ...context, db: tx })
  })
}

/** Stores null for the default text, so that it follows later changes of the default. */
const toStored = (text: string | null, own: string) => (text === own ? null : text)

async function requireKind(db: Db | Tx, id: string): Promise<MessageKind> {
  const row = await db.selectFrom('message_templates').select('kind').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Message')
  return row.kind
}

export async function previewMessage(context: AppContext, id: string, texts: TemplateTexts): Promise<MessagePreview> {
  const kind = await requireKind(context.db, id)
  const found = await findNewestSubject(context.db, toBusinessNow(context))
  const subject = found ?? exampleSubject(toBusinessNow(context))
  const { html, code, ...rest } = renderMessage(
    context.config,
    kind,
    texts,
    [toCase(subject, kind)],
    context.clock.now(),
  )
  return { subject: rest.subject, text: rest.text, html: await showCode(html, code), isExample: !found }
}

/** Returns the booking in the state that a message of this kind is about. */
function toCase(subject: Subject, kind: MessageKind): Subject {
  if (kind !== 'moved' || (subject.told_start !== null && !isAsTold(subject))) return subject
  const earlier = (time: Date) => new Date(time.getTime() - DAY)
  return {
    ...subject,
    told_start: earlier(subject.start_time),
    told_end: earlier(subject.end_time),
    told_pod_title: subject.pod_title,
  }
}

function exampleSubject(now: Date): Subject {
  const tomorrow = Date.parse(`${toDate(now)}T09:00:00.000Z`) + DAY
  const id = '00000000-0000-7000-8000-000012345678'
  return {
    id,
    series_id: null,
    pod_id: id,
    location_id: id,
    start_time: new Date(tomorrow),
    end_time: new Date(tomorrow + HOUR),
    status: 'Confirmed',
    sequence: 0,
    checked_in_at: null,
    pod_title: 'Table Bay Lounge',
    direction: 'https://maps.example.com/?q=table-bay-lounge',
    device_id: 'device',
    pod_user_id: 'user',
    reminder_hours: null,
    told_booking_id: null,
    told_pod_id: null,
    told_location_id: null,
    told_start: null,
    told_end: null,
    told_cancelled: null,
    told_at: null,
    reminded_for: null,
    told_pod_title: null,
    told_location: null,
    name: 'Waterfront',
    street: '19 Dock Road',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    country_code: 'ZA',
    latitude: 0,
    longitude: 0,
    is_blocked: false,
    is_for_customer: true,
    to_email: 'lerato@example.com',
    is_receiver_deleted: false,
    first_name: 'Lerato',
    to_name: 'Lerato Mokoena',
  }
}

export async function setReminder(
  context: AppContext,
  actor: Actor,
  locationId: string,
  reminderHours: number | null,
): Promise<Templates> {
  return inTransaction(context.db, async (tx) => {
    const set = await recordChange(tx, actor, locationRecord, { id: locationId, action: 'edit' }, () =>
      tx.updateTable('locations').set({ reminder_hours: reminderHours }).where('id', '=', locationId).execute(),
    )
    if (!set) throw notFound('Location')
    return getTemplates({ ...context, db: tx })
  })
}

/** Sets the hours for all locations. */
export async function setReminders(
  context: AppContext,
  actor: Actor,
  reminderHours: number | null,
): Promise<Templates> {
  return inTransaction(context.db, async (tx) => {
    await setForAllLocations(tx, actor, 'reminder_hours', reminderHours)
    return getTemplates({ ...context, db: tx })
  })
}
