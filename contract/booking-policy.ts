import * as z from 'zod/mini'
import { numberLike, numberLikeOrNull, requiredText, version } from './fields.ts'

/** What a cancellation gives back, the reasons for one, and when no-shows are released (rules §27.3, §27.11). */

const PolicyBody = z.object({
  brackets: z
    .array(
      z.object({
        hoursBefore: numberLike('Hours before the start', { min: 0, max: 8760, decimals: 2 }),
        percent: numberLike('Per cent', { min: 0, max: 100, decimals: 0 }),
      }),
    )
    .check(
      z.maxLength(10, 'A policy may have at most 10 brackets'),
      z.refine(
        (brackets) => new Set(brackets.map(({ hoursBefore }) => hoursBefore)).size === brackets.length,
        'Two brackets have the same hours',
      ),
    ),
  fee: numberLike('Fee', { min: 0, max: 1_000_000, decimals: 2 }),
})

const PolicySchema = z.object({
  brackets: z.array(z.object({ hoursBefore: z.number(), percent: z.int() })),
  fee: z.number(),
})

const LocationPolicySchema = z.object({
  _id: z.string(),
  name: z.string(),
  city: z.string(),
  /** Null when the general policy applies. */
  cancelPolicy: z.nullable(PolicySchema),
  /** Null when bookings never become no-shows automatically. */
  noShowMinutes: z.nullable(z.int()),
  version,
})
export type LocationPolicy = z.infer<typeof LocationPolicySchema>

export const BookingPolicySchema = z.object({
  cancelPolicy: PolicySchema,
  cancelReasons: z.array(z.string()),
  version,
  locations: z.array(LocationPolicySchema),
})
export type BookingPolicy = z.infer<typeof BookingPolicySchema>

/** Null to never mark a no-show automatically. */
const noShowMinutes = numberLikeOrNull('Minutes', { min: 5, max: 180, decimals: 0 })

export const PolicyEdit = z.partial(
  z.object({
    cancelPolicy: PolicyBody,
    /** In the order in which staff are offered them. */
    cancelReasons: z
      .array(requiredText('Reason', 100))
      .check(z.minLength(1, 'At least one reason is required'), z.maxLength(30, 'At most 30 reasons')),
  }),
)

export const NoShowMinutesEdit = z.object({ noShowMinutes })

export const LocationPolicyEdit = z.partial(
  z.object({
    /** Null when the general policy applies. */
    cancelPolicy: z.nullable(PolicyBody),
    noShowMinutes,
  }),
)
