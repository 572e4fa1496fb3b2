import { z } from 'zod'
import { findLengthProblem } from './password-rules.ts'

/** Pieces that several schemas are made of. */

/** Text of up to `max` characters, trimmed, refused when empty with '<label> is required'. */
export function requiredText(label: string, max = 200) {
  return z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, { error: `${label} is required` })
    .max(max, { error: `${label} may have at most ${max} characters` })
}

export function optionalText(label: string, max = 200) {
  return z
    .string({ error: `${label} must be text` })
    .trim()
    .max(max, { error: `${label} may have at most ${max} characters` })
}

/** A number, or text that holds one (rules §16.4). */
export function numberLike(
  label: string,
  { min = -1e12, max = 1e12, decimals }: { min?: number; max?: number; decimals?: number } = {},
) {
  return z.union([z.number(), z.string()], { error: `${label} must be a number` }).transform((value, ctx) => {
    const number = typeof value === 'number' ? value : parseNumberText(value)
    const message = numberProblem(number, label, min, max, decimals)
    if (message !== undefined) {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    return number
  })
}

function parseNumberText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN
}

function numberProblem(number: number, label: string, min: number, max: number, decimals?: number): string | undefined {
  if (!Number.isFinite(number)) return `${label} must be a number`
  if (number < min) return min === 0 ? `${label} cannot be negative` : `${label} must be at least ${min}`
  if (number > max) return `${label} must be at most ${max}`
  if (decimals !== undefined && Number(number.toFixed(decimals)) !== number) {
    return decimals === 0 ? `${label} must be a whole number` : `${label} may have at most ${decimals} decimals`
  }
  return undefined
}

export function email(label: string) {
  return requiredText(label, 254).pipe(z.email({ error: `${label} must be an email address` }))
}

/** The rest of the rules (password-rules.ts) know the person and the product; the server applies them afterwards. */
export const requiredPassword = z
  .string({ error: 'Password is required' })
  .min(1, { error: 'Password is required', abort: true })
  .refine(hasPasswordLength, { error: toLengthProblem })

/** An empty password leaves the stored one (rules §9.2). */
export const passwordOrEmpty = z
  .string({ error: 'Password must be text' })
  .refine((text) => text === '' || hasPasswordLength(text), { error: toLengthProblem })

function hasPasswordLength(password: string): boolean {
  return findLengthProblem(password) === undefined
}

function toLengthProblem({ input }: { input?: unknown }): string {
  return `Password ${findLengthProblem(String(input)) ?? ''}`
}

/** An id as clients send it: the id itself, or a whole object that carries it as `_id` (rules §5.5). */
export function idLike(label: string) {
  return z
    .union([z.string(), z.object({ _id: z.string() })], { error: `${label} is required` })
    .transform((value) => (typeof value === 'string' ? value : value._id).trim())
    .refine((id) => id !== '', { error: `${label} is required` })
}

/** A calendar date, YYYY-MM-DD, that exists; there was no year 0. */
export function dateText(label: string) {
  const error = `${label} must be a date such as 2026-11-21`
  return z.iso.date({ error, abort: true }).refine((date) => date >= '0001', { error })
}

/** Query parameters that every list takes (rules §12.1); `sort` is `field` or `-field`. */
export function listQuery<const Sort extends readonly [string, ...string[]]>(sortFields: Sort) {
  return z.object({
    page: queryInteger('page', 1, 10_000_000).optional(),
    limit: queryInteger('limit', 1, 100).optional(),
    sort: z
      .enum(sortFields.flatMap((field) => [field, `-${field}`]) as [SortOf<Sort>, ...SortOf<Sort>[]], {
        error: `sort must be one of ${sortFields.join(', ')}, with - before it for descending`,
      })
      .optional(),
    search: optionalText('search').optional(),
  })
}

type SortOf<Sort extends readonly string[]> = Sort[number] | `-${Sort[number]}`

export const DEFAULT_PAGE_SIZE = 10

function queryInteger(name: string, min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: `${name} must be a whole number` })
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: `${name} must be between ${min} and ${max}` })
}

export const MessageSchema = z.object({ message: z.string() })

/** Bookings that begin after now and are not cancelled. */
export const UpcomingBookingsSchema = z.object({ upcomingBookings: z.number().int() })

/** Blocking keeps the bookings that there are: the answer says how many of them are still to come. */
export const BlockedSchema = MessageSchema.extend(UpcomingBookingsSchema.shape)

/** `status=active` or `status=blocked`, the filter of every list whose records can be blocked. */
export const blockedFilter = z.enum(['active', 'blocked'], { error: 'status must be active or blocked' }).optional()

/** Instants and wall-clock times, ISO 8601 ending in Z. */
export const timeText = z.string()
