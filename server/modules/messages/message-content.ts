import {
  defaultTexts,
  fillPlaceholders,
  type MessageKind,
  type Placeholder,
  type TemplateTexts,
} from '#contract/message-templates.ts'
import { toClockText } from '#contract/slots.ts'
import { isWebAddress } from '#contract/web-address.ts'
import { type Config, toPortalUrl } from '#server/config.ts'
import type { ToldBooking } from '#server/db/schema.ts'
import { toBookingCode } from '../bookings/bookings.service.ts'
import { type MailContent, renderMail } from '../mail/mail-template.ts'
import { toCalendarFile } from './calendar-file.ts'
import type { Subject } from './messages.repository.ts'

/** Renders a message about one booking, or about several bookings of a series. */
export function renderMessage(
  config: Config,
  kind: MessageKind,
  texts: TemplateTexts,
  present: readonly [Subject, ...Subject[]],
  now: Date,
) {
  const [first, ...others] = kind === 'cancelled' ? toKnown(present) : present
  const subjects = [first, ...others] as const
  const isOne = others.length === 0
  return {
    ...renderMail(toContent(config, kind, texts, subjects), config.productName),
    code: isOne && hasCode(kind) ? toCode(config, first) : null,
    calendar: kind === 'reminder' ? null : toCalendar(config, subjects, now),
  }
}

/**
 * Returns the bookings as the customer knows them: one that was moved and cancelled at once is taken back as it was, as
 * nobody has told them of the move.
 */
function toKnown([first, ...others]: readonly [Subject, ...Subject[]]): [Subject, ...Subject[]] {
  const toOne = (subject: Subject): Subject => {
    const { told_start, told_end, told_pod_title, told_location } = subject
    if (told_start === null || told_end === null || subject.told_cancelled) return subject
    const pod_title = told_pod_title ?? subject.pod_title
    return { ...subject, ...told_location, start_time: told_start, end_time: told_end, pod_title }
  }
  return [toOne(first), ...others.map(toOne)]
}

const hasCode = (kind: MessageKind) => kind !== 'cancelled'

function toContent(
  config: Config,
  kind: MessageKind,
  { subject, body }: TemplateTexts,
  subjects: readonly [Subject, ...Subject[]],
): MailContent {
  const [first, ...others] = subjects
  const values = toValues(config, first, others.length)
  const isOne = others.length === 0
  const isOnePlace = others.every(({ direction }) => direction === first.direction)
  return {
    subject: toOneLine(fillPlaceholders(subject, values)),
    name: first.first_name,
    paragraphs: fillPlaceholders(body, values)
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
    facts: isOne ? toFacts(kind, first, values) : toSeriesFacts(subjects, hasCode(kind)),
    ...(isOne &&
      hasCode(kind) && { code: { caption: 'If the code cannot be read, say', spoken: toSpokenCode(first) } }),
    ...(kind !== 'cancelled' &&
      isOnePlace &&
      isWebAddress(first.direction) && { button: { label: 'Directions', href: first.direction } }),
    note: `This mail went to ${first.to_email} because of ${isOne ? 'a booking' : 'bookings'} at ${config.productName}.`,
  }
}

function toCode(config: Config, { id, pod_id, start_time, end_time, device_id, pod_user_id }: Subject): string {
  const times = { startTime: start_time.toISOString(), endTime: end_time.toISOString() }
  const booking = { _id: id, podId: pod_id, ...times }
  return toBookingCode(config, { booking, deviceId: device_id, podUserId: pod_user_id })
}

function toCalendar(config: Config, subjects: readonly [Subject, ...Subject[]], now: Date): string {
  const [{ to_name, to_email }] = subjects
  const bookings = subjects.map((subject) => ({
    id: subject.id,
    sequence: subject.sequence,
    start: subject.start_time,
    end: subject.end_time,
    isCancelled: subject.status === 'Cancelled',
    podTitle: subject.pod_title,
    locationName: subject.name,
    place: toAddress(subject),
  }))
  return toCalendarFile(bookings, {
    timeZone: config.businessTimeZone,
    organizer: { name: config.productName, email: toSender(config) },
    attendee: { name: to_name, email: to_email },
    now,
  })
}

export function toTexts({ kind, subject, body }: { kind: MessageKind; subject: string | null; body: string | null }) {
  return { subject: subject ?? defaultTexts[kind].subject, body: body ?? defaultTexts[kind].body }
}

export function toToldBooking({ id, pod_id, location_id, start_time, end_time, status }: Subject): ToldBooking {
  return {
    bookingId: id,
    podId: pod_id,
    locationId: location_id,
    start: start_time.toISOString(),
    end: end_time.toISOString(),
    isCancelled: status === 'Cancelled',
  }
}

/** Returns the last 8 characters of the id, by which staff find a booking when its QR code cannot be read. */
const toSpokenCode = ({ id }: Subject) => id.slice(-8).toUpperCase()

function toValues(config: Config, subject: Subject, others: number): Record<Placeholder, string> {
  const { told_start, told_end, told_pod_title, told_location, name } = subject
  const place = [told_pod_title, told_location?.name === name ? null : told_location?.name].filter(Boolean).join(', ')
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'time' : 'times'}`
  return {
    name: subject.first_name || subject.to_name,
    pod: subject.pod_title,
    location: subject.name,
    address: toAddress(subject),
    date: `${toDay(subject.start_time)}${more}`,
    start: toClockText(subject.start_time),
    end: toClockText(subject.end_time),
    before:
      told_start && told_end ? `${toDay(told_start)}, ${toTimes(told_start, told_end)} in ${place}` : 'another time',
    product: config.productName,
  }
}

function toFacts(kind: MessageKind, subject: Subject, values: Record<Placeholder, string>): Record<string, string> {
  const isMoved = kind === 'moved' && subject.told_start !== null
  return {
    Pod: values.pod,
    When: `${toDay(subject.start_time)}\n${toTimes(subject.start_time, subject.end_time)}`,
    ...(isMoved && { Before: values.before }),
    Where: `${values.location}\n${values.address}`,
  }
}

function toSeriesFacts(subjects: readonly Subject[], hasCode: boolean): Record<string, string> {
  const places = new Set(subjects.map((subject) => `${subject.name}\n${toAddress(subject)}`))
  const lines = subjects.map((subject) => {
    const when = `${toDay(subject.start_time)}, ${toTimes(subject.start_time, subject.end_time)}`
    const where = places.size > 1 ? `${subject.pod_title}, ${subject.name}` : subject.pod_title
    return `${when}, ${where}${hasCode ? ` – code ${toSpokenCode(subject)}` : ''}`
  })
  return { When: lines.join('\n'), Where: [...places].join('\n') }
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** Formats a wall clock labelled Z as 'Monday, 23 November 2026'. */
function toDay(wallClock: Date): string {
  const { weekday = '', ...parts } = Object.fromEntries(
    days.formatToParts(wallClock).map(({ type, value }) => [type, value]),
  )
  return `${weekday}, ${parts.day} ${parts.month} ${parts.year}`
}

const toTimes = (start: Date, end: Date) => `${toClockText(start)} – ${toClockText(end)}`

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function toAddress({ street, city, state, zip, country_code }: Subject): string {
  const country = /^[A-Z]{2}$/.test(country_code) ? countries.of(country_code) : country_code
  return [street, city, state, zip, country].filter(Boolean).join(', ')
}

/** Returns the sender's address. Mails that are kept while no mail server is set need one too. */
function toSender(config: Config): string {
  return config.smtp?.from ?? `bookings@${new URL(toPortalUrl(config)).hostname}`
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
