import { findEntity } from '#contract/audit-entities.ts'
import type { Change } from '#contract/audit.ts'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import { labelsOfKinds } from '#contract/field-labels.ts'
import { toMoneyText } from '#contract/money.ts'
import { toSpansText, weekdayNames } from '#contract/opening-hours.ts'
import { pages } from '#contract/pages.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { toMark } from '#contract/slots.ts'
import { toEndText, toRepeatText } from '#web/components/closures/closure-words.ts'
import { toEventsText } from '#web/components/event-words.ts'
import { toPolicyText } from '#web/components/policy-words.ts'
import { toMomentText } from '#web/lib/business-day.ts'
import { toCountryText } from '#web/lib/country-name.ts'
import { toCounted, toCountText, toRateText, toWallTime } from '#web/lib/format.ts'
import { actionLabels } from './change-labels.ts'

/** One field of a change, in words; `before` and `after` are '' when empty. */
type FieldChange = {
  name: string
  label: string
  before: string
  after: string
  /** The values are not kept: all that is known is that they changed. */
  isSecret: boolean
  /** URLs of the images before and after the change. */
  images: { before: string[]; after: string[] } | undefined
}

/** Labels for columns whose own names say too little, and that no form names. */
const labels: Record<string, string> = {
  password_hash: 'Password',
  is_enabled: 'Status',
  pages: 'Page access',
  view_only_pages: 'View-only pages',
  location_ids: 'Locations',
  expires_on: 'Last day',
  prefix: 'Begins with',
  country_code: 'Country',
  location_id: 'Location',
  pod_id: 'Pod',
  user_id: 'User',
  staff_id: 'Booked by',
  company_id: 'Company',
  pod_user_id: 'User id',
  rate: 'Rate per minute',
  hour_exceptions: 'Other hours by date',
  discount_minutes: 'Discount',
  balance_due: 'Due, apart from payments',
  paid_when_cancelled: 'Paid until the cancellation',
  refunds_counted: 'Refunds taken into account',
  start_time: 'Start',
  end_time: 'End',
  checked_in_at: 'Checked in',
  checked_in_method: 'Checked in by means of',
  no_show_at: 'No-show',
  ended_at: 'Ended early',
  ends_at: 'Ends by itself',
  starts: 'Start',
  ends: 'End',
  rrule: 'Repeats',
  released_from: 'Free again from',
  made_by_staff_id: 'Made by',
  cancelled_at: 'Cancelled',
  cancel_reason: 'Reason',
  cancel_policy: 'Cancellation policy',
  cancel_reasons: 'Reasons for cancellations',
  no_show_minutes: 'No-show after',
  reminder_hours: 'Reminder before the start',
  order: 'Order of the features',
  rows: 'Number of rows',
}

/** Columns that are not shown: they follow from other fields, or the change's sentence already says them. */
const hidden = new Set([
  'sequence',
  'slug',
  'slot_count',
  'rating_count',
  'total_rating',
  'ratings',
  'deleted_at',
  'series_id',
  'created_by',
  'revoked_at',
])

/** Columns of a new record that mean something without a value: access to all locations, or without an end. */
const saidOfNew = new Set(['ends', 'location_ids', 'expires_on'])

/** Lists the fields that a change affected; for a new record, those that are not empty or mean something. */
export function listFieldChanges({
  entity,
  action,
  before,
  after,
  names,
}: Pick<Change, 'entity' | 'action' | 'before' | 'after' | 'names'>): FieldChange[] {
  const isBlock = action === 'block' || action === 'unblock'
  const fields = Object.keys({ ...before, ...after }).filter(
    (name) => !hidden.has(name) && !(isBlock && name === 'is_blocked'),
  )
  return fields
    .filter((name) => action !== 'create' || !isUnset(after?.[name]) || saidOfNew.has(name))
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]]
      const common = findCommon(name, was, is)
      const toText = (value: unknown) => toDifferentText(name, value, names, common)
      return {
        name,
        label: findFormLabel(entity, name) ?? labels[name] ?? toLabel(name),
        before: toText(was),
        after: toText(is),
        isSecret: is === SECRET_MASK || was === SECRET_MASK,
        images: name === 'images' ? { before: toAddresses(was), after: toAddresses(is) } : undefined,
      }
    })
}

/** Lists of more than this are shown without what they have in common: nobody finds one name among 150. */
const MANY = 12

/** Returns what two long lists have in common; nothing when they differ only in their order. */
function findCommon(name: string, was: unknown, is: unknown): ReadonlySet<string> {
  if (name === 'images' || !Array.isArray(was) || !Array.isArray(is)) return new Set()
  const earlier = new Set(was.map((one) => JSON.stringify(one)))
  const common = new Set(is.map((one) => JSON.stringify(one)).filter((one) => earlier.has(one)))
  const longest = Math.max(was.length, is.length)
  return longest > MANY && longest > common.size ? common : new Set()
}

function toDifferentText(name: string, value: unknown, names: Change['names'], common: ReadonlySet<string>): string {
  if (common.size === 0 || !Array.isArray(value)) return toValueText(name, value, names)
  const different = value.filter((one) => !common.has(JSON.stringify(one)))
  const unchanged = `${toCountText(value.length - different.length)} unchanged`
  return different.length === 0 ? unchanged : `${toValueText(name, different, names)}, ${unchanged}`
}

function isUnset(value: unknown): boolean {
  return (
    value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
  )
}

/** Returns what the record's form calls a column. Fields on the wire have a column's name, or the same in camel case. */
function findFormLabel(entity: Change['entity'], column: string): string | undefined {
  const ofForm = labelsOfKinds[entity]
  return ofForm?.[column] ?? ofForm?.[column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
}

/** Turns 'booking_requirements' into 'Booking requirements'. */
function toLabel(column: string): string {
  const words = column.replaceAll('_', ' ').replace(/^is /, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function toAddresses(images: unknown): string[] {
  if (!Array.isArray(images)) return []
  return images.map((image: string | { url: string }) => (typeof image === 'string' ? image : image.url))
}

type HourRow = { weekday?: number; date?: string; label?: string; opens: number | null; closes: number | null }

/** Returns opening hours in words: 'Monday 8:00 AM – 6:00 PM, Sunday closed'. */
function toHourRowsText(value: unknown): string {
  if (!Array.isArray(value)) return ''
  return value
    .map(({ weekday, date, label, opens, closes }: HourRow) => {
      const day = date ?? weekdayNames[(weekday ?? 1) - 1] ?? ''
      const hours =
        opens === null || closes === null ? 'closed' : toSpansText([{ opens: toMark(opens), closes: toMark(closes) }])
      return `${day} ${hours}${label ? ` (${label})` : ''}`
    })
    .join(', ')
}

/** What it means when these have no value. */
const withoutValue: Record<string, string> = {
  subject: 'The original subject',
  body: 'The original text',
  ends: 'Until further notice',
  location_ids: 'All locations',
  expires_on: 'Never expires',
  cancel_policy: 'As for all',
  no_show_minutes: 'Off',
  reminder_hours: 'Never',
}

/** What is said of pods and locations that the person may not see, whose names they do not get (rules §37.3). */
const unseen: Record<string, string> = {
  pod_id: 'Another pod',
  pods: 'pods of other locations',
  location_id: 'Another location',
}

/** What the screens call filters whose own names say too little. */
const filterLabels: Record<string, string> = {
  entity: 'Kind',
  actor: 'Person or key',
  access: 'Access to',
}

/** Returns the filters and the order of a file in words: 'Kind: Pods, Sort: created at, descending'. */
function toFiltersText(filters: object, names: Change['names']): string {
  return Object.entries(filters)
    .map(([name, value]: [string, unknown]) => {
      const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return `${filterLabels[name] ?? toLabel(words)}: ${toFilterText(name, value, names)}`
    })
    .join(', ')
}

function toFilterText(name: string, value: unknown, names: Change['names']): string {
  if (typeof value !== 'string') return toValueText(name, value, names)
  if (name === 'entity') return findEntity(value)?.label ?? value
  if (name === 'action') return Object.entries(actionLabels).find(([action]) => action === value)?.[1] ?? value
  if (name === 'access') return pageNames.get(value) ?? value
  if (name === 'repeats') return toRepeatText(value)
  if (name !== 'sort') return toValueText(name, value, names)
  const words = value.replace(/^-/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return value.startsWith('-') ? `${words}, descending` : words
}

const pageNames = new Map(pages.map(({ id, name }) => [String(id), name]))

function toValueText(name: string, value: unknown, names: Change['names']): string {
  if (value === null) return withoutValue[name] ?? ''
  if (value === undefined) return ''
  if (name === 'is_enabled') return value ? 'On' : 'Off'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (name === 'cancel_policy') return toPolicyText(value as CancelPolicy) // guaranteed by a check constraint
  if (name === 'images') return toCounted(toAddresses(value).length, 'image', 'images')
  if (name === 'opening_hours' || name === 'hour_exceptions') return toHourRowsText(value)
  if (name === 'events') return toEventsText(value as string[]) // guaranteed by the column's type
  if (Array.isArray(value)) {
    const words = name.endsWith('pages') ? pageNames : new Map(Object.entries(names))
    const isUnseen = (one: unknown) => name in unseen && !words.has(String(one))
    const seen = value.filter((one) => !isUnseen(one)).map((one) => words.get(String(one)) ?? String(one))
    return [...seen, ...(value.some(isUnseen) ? [unseen[name]] : [])].join(', ')
  }
  if (typeof value === 'object') {
    if (name === 'filters') return toFiltersText(value, names)
    return Object.entries(value)
      .map(([key, one]) => `${toLabel(key)}: ${toValueText(key, one, names)}`)
      .join(', ')
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'rate') return toRateText(Number(text))
  if (['amount', 'price', 'balance_due', 'paid_when_cancelled', 'refunds_counted', 'fee'].includes(name))
    return toMoneyText(Number(text))
  if (['discount_minutes', 'buffer_minutes', 'no_show_minutes'].includes(name))
    return toCounted(Number(text), 'minute', 'minutes')
  if (name === 'reminder_hours') return toCounted(Number(text), 'hour', 'hours')
  if (name === 'country_code') return toCountryText(text)
  if (['start_time', 'end_time', 'released_from', 'starts'].includes(name))
    return `${text.slice(0, 10)}, ${toWallTime(text)}`
  if (name === 'ends') return toEndText(text)
  if (name === 'rrule') return toRepeatText(text)
  if (name.endsWith('_at')) return toMomentText(text)
  return names[text] ?? unseen[name] ?? text
}
