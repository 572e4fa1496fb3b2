import * as z from 'zod/mini'
import { toRequiredMessage } from './errors.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './page-size.ts'
import { findLengthProblem } from './password-rules.ts'

/** Building blocks of the schemas. */

/** A character that is not a space, a control character or one of no width. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u

/**
 * Accepts and trims text of up to `max` characters; refuses empty text, and text in which nothing can be seen, with
 * '<label> is required'.
 */
export function requiredText(label: string, max = 200) {
  const error = toRequiredMessage(label)
  return z.string({ error: missingOr(label, 'text') }).check(
    z.trim(),
    z.minLength(1, error),
    z.refine((text) => text === '' || VISIBLE.test(text), error),
    z.maxLength(max, `${label} may have at most ${max} characters`),
  )
}

/** Says of a value that is missing that it is required, and of one of another kind what it must be. */
function missingOr(label: string, kind: string) {
  return ({ input }: { input?: unknown }) =>
    input === undefined || input === null ? toRequiredMessage(label) : `${label} must be ${kind}`
}

/** Accepts text without trimming it, such as the password of a sign-in. */
export function requiredString(label: string) {
  const error = toRequiredMessage(label)
  return z
    .string({ error: missingOr(label, 'text') })
    .check(z.minLength(1, error), z.maxLength(1000, `${label} may have at most 1000 characters`))
}

/** Accepts a number and converts it to text. */
export const numberAsText = z.pipe(z.number(), z.transform(String))

export function optionalText(label: string, max = 200) {
  return z
    .string(`${label} must be text`)
    .check(z.trim(), z.maxLength(max, `${label} may have at most ${max} characters`))
}

type NumberLimits = { min?: number; max?: number; decimals?: number }

/** Accepts a number, or text that contains one (rules §16.4). */
export function numberLike(label: string, limits: NumberLimits) {
  return z
    .pipe(
      z.union([z.number(), z.string()], `${label} must be a number`),
      z.transform((value, ctx) => toNumber(value, label, limits, ctx)),
    )
    .check(describeLimits(limits))
}

/** The price that a client has shown, in ZAR; if it is another by now, nothing is saved (`price_changed`). */
export const shownPrice = z.optional(
  numberLike('Price', { min: 0, decimals: 2 }).check(
    z.describe(
      'The price in ZAR that was shown beforehand, which this does not set: 409 price_changed if it is another by now. Not compared when absent.',
    ),
  ),
)

/** Accepts what `numberLike` does, or null; empty text counts as null. */
export function numberLikeOrNull(label: string, limits: NumberLimits) {
  return z
    .pipe(
      z.union([z.number(), z.string(), z.null()], `${label} must be a number`),
      z.transform((value, ctx) => {
        const isNone = value === null || (typeof value === 'string' && value.trim() === '')
        return isNone ? null : toNumber(value, label, limits, ctx)
      }),
    )
    .check(describeLimits(limits))
}

/** Says in the OpenAPI document what a schema with a transformation cannot. */
function describeLimits({ min, max, decimals }: NumberLimits) {
  const limits = [
    min !== undefined && `at least ${min}`,
    max !== undefined && `at most ${max}`,
    decimals !== undefined && (decimals === 0 ? 'whole' : `at most ${decimals} decimals`),
  ].filter((limit) => limit !== false)
  return z.describe(['A number, or text that holds one', ...limits].join(', '))
}

type Context = { issues: z.core.$ZodRawIssue[] }

function toNumber(value: number | string, label: string, limits: NumberLimits, ctx: Context): number {
  const number = typeof value === 'number' ? value : parseNumberText(value)
  const message = numberProblem(number, label, limits)
  if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: value })
  return number
}

function parseNumberText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN
}

function numberProblem(
  number: number,
  label: string,
  { min = -1e12, max = 1e12, decimals }: NumberLimits,
): string | undefined {
  if (!Number.isFinite(number)) return `${label} must be a number`
  if (number < min) return min === 0 ? `${label} cannot be negative` : `${label} must be at least ${min}`
  if (number > max) return `${label} must be at most ${max}`
  if (decimals !== undefined && Number(number.toFixed(decimals)) !== number) {
    return decimals === 0 ? `${label} must be a whole number` : `${label} may have at most ${decimals} decimals`
  }
  return undefined
}

export function email(label: string) {
  return z.pipe(requiredText(label, 254), z.email(`${label} must be an email address`))
}

/** Accepts an email address or empty text. */
export function optionalEmail(label: string) {
  return optionalText(label, 254).check(
    z.refine((text) => text === '' || z.safeParse(z.email(), text).success, `${label} must be an email address`),
  )
}

/**
 * Checks only the length. The other rules (password-rules.ts) depend on the person and the product name, and are
 * applied by the server afterwards.
 */
export const requiredPassword = z
  .string({ error: missingOr('Password', 'text') })
  .check(
    z.minLength(1, { error: 'Password is required', abort: true }),
    z.refine(hasPasswordLength, { error: toLengthProblem }),
  )

/** An empty password leaves the stored one unchanged (rules §9.2). */
export const passwordOrEmpty = z
  .string('Password must be text')
  .check(z.refine((text) => text === '' || hasPasswordLength(text), { error: toLengthProblem }))

function hasPasswordLength(password: string): boolean {
  return findLengthProblem(password) === undefined
}

function toLengthProblem({ input }: { input?: unknown }): string {
  return `Password ${findLengthProblem(String(input)) ?? ''}`
}

/**
 * Accepts an id as clients send it: the id itself, or an object that contains it as `_id` (rules §5.5). Returns it in
 * lower case, as the database does.
 */
export function idLike(label: string) {
  const error = toRequiredMessage(label)
  return z
    .pipe(
      z.union([z.string(), z.object({ _id: z.string() })], { error: missingOr(label, 'an id') }),
      z.transform((value) => (typeof value === 'string' ? value : value._id).trim().toLowerCase()),
    )
    .check(z.minLength(1, error))
}

/** The id of a record in a query or body, in lower case as the database returns it. May be malformed. */
export const recordId = z.string().check(z.toLowerCase())

/** Accepts an existing calendar date, YYYY-MM-DD. Refuses year 0, which never existed. */
export function dateText(label: string) {
  const error = `${label} must be a date such as 2026-11-21`
  return z.iso.date({ error, abort: true }).check(z.refine((date) => date >= '0001', { error }))
}

/**
 * Accepts a wall-clock time labelled Z, from 1970 onwards (rules §26.5). The database driver sends times with the
 * server's UTC offset in whole minutes, but historical offsets included seconds, so older times would be stored seconds
 * off.
 */
export function wallClock(label: string, example = '09:00') {
  const error = `${label} must be a time such as 2026-11-21T${example}:00.000Z`
  return z.iso.datetime({ error, abort: true }).check(
    z.refine((time) => time >= '1970', { error }),
    z.describe(`The wall clock of the pod, labelled Z: 2026-11-21T${example}:00.000Z is ${example} there. No offsets.`),
  )
}

/** Returns the query parameters of every list (rules §12.1); `sort` is `field` or `-field`. */
export function listQuery<const Sort extends readonly [string, ...string[]]>(sortFields: Sort) {
  return z.object({
    page: z.optional(queryInteger('page', 1, 10_000_000)),
    limit: z.optional(
      queryInteger('limit', 1, MAX_PAGE_SIZE).check(
        z.describe(`Rows of a page, ${DEFAULT_PAGE_SIZE} unless it is given.`),
      ),
    ),
    sort: z.optional(
      z.enum(
        sortFields.flatMap((field) => [field, `-${field}`]) as [SortOf<Sort>, ...SortOf<Sort>[]],
        `sort must be one of ${sortFields.join(', ')}, with - before it for descending`,
      ),
    ),
    search: z.optional(
      optionalText('search').check(
        z.describe('Words of the names, or an id or its end. Allows a typo where nothing else matches.'),
      ),
    ),
  })
}

export const csvSeparator = z.optional(
  z
    .enum(['comma', 'semicolon'], 'separator must be comma or semicolon')
    .check(z.describe('Between the columns, comma unless it is given. With semicolons, numbers have decimal commas.')),
)

export type CsvSeparator = NonNullable<z.infer<typeof csvSeparator>>

/** The query of a file: the filters of its list, and what stands between its columns. */
export function fileQuery<Filters extends z.ZodMiniObject>(filters: Filters) {
  return z.extend(filters, { separator: csvSeparator })
}

type SortOf<Sort extends readonly string[]> = Sort[number] | `-${Sort[number]}`

/** Accepts an amount in ZAR, such as 99.50. */
export function queryAmount(name: string) {
  return z
    .pipe(
      z.string().check(z.regex(/^\d{1,10}([.,]\d{1,2})?$/, `${name} must be an amount such as 99.50`)),
      z.transform((text) => Number(text.replace(',', '.'))),
    )
    .check(z.describe('ZAR, such as 99.50.'))
}

export function queryInteger(name: string, min: number, max: number) {
  return z.pipe(z.string().check(z.regex(/^-?\d+$/, `${name} must be a whole number`)), z.transform(Number)).check(
    z.refine((number) => number >= min && number <= max, `${name} must be between ${min} and ${max}`),
    // In the OpenAPI document; what is sent is the text of it.
    z.meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined }),
  )
}

export const MessageSchema = z.object({ message: z.string() })

/** To a request that gave the present password. */
export const RenewedSchema = z.extend(MessageSchema, {
  /**
   * The session's new token; the old one stays valid for half a minute. Absent when another tab has just received one.
   */
  token: z.optional(z.string()),
})

/** The number of bookings that begin after now and are not cancelled. */
export const UpcomingBookingsSchema = z.object({ upcomingBookings: z.int() })

/** Blocking keeps existing bookings; the response tells how many of them are upcoming. */
export const BlockedSchema = z.extend(MessageSchema, UpcomingBookingsSchema.shape)

/**
 * Status filter for lists of records that can be blocked and deleted. When absent, everything that is not deleted is
 * listed.
 */
export const blockedFilter = z.optional(
  z
    .enum(['active', 'blocked', 'deleted'], 'status must be active, blocked or deleted')
    .check(z.describe('Without it, all that are not deleted.')),
)

/** How to get to a pod. */
export const directionText = z
  .string()
  .check(z.describe('Text of staff, usually a link: make it one only if it begins with https:// or http://.'))

/** Of a record: not for its customer. */
export const staffNote = z.string().check(z.describe('For staff alone.'))

/** An instant or wall-clock time in ISO 8601, ending in Z. */
export const timeText = z.string()

/** Why a pod or location is closed, the start and end, and who closed it (rules §26.7). */
export const CurrentClosureSchema = z.object({
  _id: z.string(),
  reason: z.string(),
  starts: timeText,
  ends: z.nullable(timeText).check(z.describe('Null until further notice.')),
  createdBy: z.string(),
})
export type CurrentClosure = z.infer<typeof CurrentClosureSchema>

/** Incremented on each change of the record; clients send it back as If-Match (rules §22.4). */
export const version = z
  .int()
  .check(z.describe('Counts the changes of the record. 409 record_changed for a change of an outdated one.'))
