import * as z from 'zod/mini'
import { toRequiredMessage } from './errors.ts'
import { findLengthProblem } from './password-rules.ts'

/** Building blocks of the schemas. */

/** Text of up to `max` characters, trimmed, refused when empty with '<label> is required'. */
export function requiredText(label: string, max = 200) {
  const error = toRequiredMessage(label)
  return z
    .string(error)
    .check(z.trim(), z.minLength(1, error), z.maxLength(max, `${label} may have at most ${max} characters`))
}

/** Kept as it is, blanks and all: a password that someone signs in with. */
export function requiredString(label: string, max = 1000) {
  const error = toRequiredMessage(label)
  return z.string(error).check(z.minLength(1, error), z.maxLength(max, `${label} may have at most ${max} characters`))
}

/** A number that the wire keeps as text. */
export const numberAsText = z.pipe(z.number(), z.transform(String))

export function optionalText(label: string, max = 200) {
  return z
    .string(`${label} must be text`)
    .check(z.trim(), z.maxLength(max, `${label} may have at most ${max} characters`))
}

type NumberLimits = { min?: number; max?: number; decimals?: number }

/** A number, or text that holds one (rules §16.4). */
export function numberLike(label: string, limits: NumberLimits = {}) {
  return z.pipe(
    z.union([z.number(), z.string()], `${label} must be a number`),
    z.transform((value, ctx) => toNumber(value, label, limits, ctx)),
  )
}

/** The same, or null, which an empty text stands for too. */
export function numberLikeOrNull(label: string, limits: NumberLimits) {
  return z.pipe(
    z.union([z.number(), z.string(), z.null()], `${label} must be a number`),
    z.transform((value, ctx) => {
      const isNone = value === null || (typeof value === 'string' && value.trim() === '')
      return isNone ? null : toNumber(value, label, limits, ctx)
    }),
  )
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

/** The same, or nothing. */
export function optionalEmail(label: string) {
  return optionalText(label, 254).check(
    z.refine((text) => text === '' || z.safeParse(z.email(), text).success, `${label} must be an email address`),
  )
}

/** Only the length is checked here. The other rules (password-rules.ts) need the person and the product; the server applies them afterwards. */
export const requiredPassword = z
  .string('Password is required')
  .check(
    z.minLength(1, { error: 'Password is required', abort: true }),
    z.refine(hasPasswordLength, { error: toLengthProblem }),
  )

/** An empty password leaves the stored one (rules §9.2). */
export const passwordOrEmpty = z
  .string('Password must be text')
  .check(z.refine((text) => text === '' || hasPasswordLength(text), { error: toLengthProblem }))

function hasPasswordLength(password: string): boolean {
  return findLengthProblem(password) === undefined
}

function toLengthProblem({ input }: { input?: unknown }): string {
  return `Password ${findLengthProblem(String(input)) ?? ''}`
}

/** An id as clients send it: the id itself, or a whole object that carries it as `_id` (rules §5.5). */
export function idLike(label: string) {
  const error = toRequiredMessage(label)
  return z
    .pipe(
      z.union([z.string(), z.object({ _id: z.string() })], error),
      z.transform((value) => (typeof value === 'string' ? value : value._id).trim()),
    )
    .check(z.minLength(1, error))
}

/** A calendar date, YYYY-MM-DD, that exists; there was no year 0. */
export function dateText(label: string) {
  const error = `${label} must be a date such as 2026-11-21`
  return z.iso.date({ error, abort: true }).check(z.refine((date) => date >= '0001', { error }))
}

/**
 * A time on the wall clock, labelled Z, from 1970 on (rules §26.5): the database's driver sends a time with the whole minutes of
 * the server's time zone, and zones had seconds in earlier days, so that older times would be stored seconds off.
 */
export function wallClock(label: string, example = '09:00') {
  const error = `${label} must be a time such as 2026-11-21T${example}:00.000Z`
  return z.iso.datetime({ error, abort: true }).check(z.refine((time) => time >= '1970', { error }))
}

/** Query parameters that every list takes (rules §12.1); `sort` is `field` or `-field`. */
export function listQuery<const Sort extends readonly [string, ...string[]]>(sortFields: Sort) {
  return z.object({
    page: z.optional(queryInteger('page', 1, 10_000_000)),
    limit: z.optional(queryInteger('limit', 1, 100)),
    sort: z.optional(
      z.enum(
        sortFields.flatMap((field) => [field, `-${field}`]) as [SortOf<Sort>, ...SortOf<Sort>[]],
        `sort must be one of ${sortFields.join(', ')}, with - before it for descending`,
      ),
    ),
    search: z.optional(optionalText('search')),
  })
}

type SortOf<Sort extends readonly string[]> = Sort[number] | `-${Sort[number]}`

export const DEFAULT_PAGE_SIZE = 10

export function queryInteger(name: string, min: number, max: number) {
  return z
    .pipe(z.string().check(z.regex(/^\d{1,9}$/, `${name} must be a whole number`)), z.transform(Number))
    .check(z.refine((number) => number >= min && number <= max, `${name} must be between ${min} and ${max}`))
}

export const MessageSchema = z.object({ message: z.string() })

/** Bookings that begin after now and are not cancelled. */
export const UpcomingBookingsSchema = z.object({ upcomingBookings: z.int() })

/** Blocking keeps existing bookings: the response says how many of them are upcoming. */
export const BlockedSchema = z.extend(MessageSchema, UpcomingBookingsSchema.shape)

/** A filter of every list whose records can be blocked and deleted; without it all that are not deleted. */
export const blockedFilter = z.optional(
  z.enum(['active', 'blocked', 'deleted'], 'status must be active, blocked or deleted'),
)

/** Instants and wall-clock times, ISO 8601 ending in Z. */
export const timeText = z.string()

/** Why a pod or location is closed, from when until when, and who closed it (rules §26.7). */
export const CurrentClosureSchema = z.object({
  _id: z.string(),
  reason: z.string(),
  starts: timeText,
  /** Null until further notice. */
  ends: z.nullable(timeText),
  createdBy: z.string(),
})
export type CurrentClosure = z.infer<typeof CurrentClosureSchema>

/** Counted up at each change of the record; sent back as If-Match (rules §22.4). */
export const version = z.int()
