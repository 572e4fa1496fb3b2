import * as z from 'zod/mini'
import { FreePodSchema } from './booking-actions.ts'
import { bookingStatuses } from './booking-statuses.ts'
import { MAX_AFFECTED, MAX_CLOSED_PODS } from './closure-limits.ts'
import { endpoint } from './endpoint.ts'
import {
  csvSeparator,
  listQuery,
  MessageSchema,
  optionalText,
  recordId,
  requiredText,
  timeText,
  version,
  wallClock,
} from './fields.ts'
import { routes } from './routes.ts'

/** Times in which pods cannot be used, and why (rules §26.5). Times are wall clock labelled Z. */

const ClosureFields = z.object({
  /** Either `podIds` or `locationId` must be given. */
  podIds: z.optional(
    z
      .array(recordId, 'podIds must be a list')
      .check(
        z.minLength(1, 'Choose at least one pod'),
        z.maxLength(MAX_CLOSED_PODS, `At most ${MAX_CLOSED_PODS} pods`),
      ),
  ),
  locationId: z.optional(recordId),
  starts: z.optional(
    wallClock('Start').check(z.describe('The wall clock of the pods, labelled Z. Now, if a new closure has none.')),
  ),
  ends: z.optional(
    z.nullable(
      wallClock('End').check(z.describe('The same. Until further notice if it is null, or if a new closure has none.')),
    ),
  ),
  repeats: z.optional(
    z.nullable(
      optionalText('Repetition', 500).check(
        z.describe(
          'A recurrence rule of RFC 5545 without DTSTART, such as FREQ=WEEKLY;BYDAY=SU: daily, weekly, monthly or yearly.',
        ),
      ),
    ),
  ),
  reason: requiredText('Reason', 200),
})

const isWhole = z.refine<{ podIds?: unknown; locationId?: unknown }>(
  ({ podIds, locationId }) => (podIds === undefined) !== (locationId === undefined),
  { error: 'Choose pods or a location', path: ['podIds'] },
)

const decisionActions = ['move', 'cancel', 'leave'] as const

const DecisionSchema = z.object({
  bookingId: recordId,
  action: z.enum(decisionActions, 'action must be move, cancel or leave'),
  podId: z.optional(recordId.check(z.describe('The pod to move to. When absent, a similar free pod is chosen.'))),
})

const ClosureBody = z.extend(ClosureFields, {
  /** One for each booking that the closure affects. */
  decisions: z._default(z.array(DecisionSchema).check(z.maxLength(MAX_AFFECTED)), []),
})
export type ClosureBody = z.infer<typeof ClosureBody>

/** A closure keeps its pods or location. */
const ClosureEdit = z.omit(ClosureBody, { podIds: true, locationId: true })
export type ClosureEdit = z.infer<typeof ClosureEdit>

const ClosureSchema = z.object({
  _id: z.string(),
  reason: z.string(),
  location: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  pods: z.array(z.object({ _id: z.string(), title: z.string(), locationName: z.string(), city: z.string() })),
  hasOtherPods: z.optional(
    z.boolean().check(z.describe('True when it also closes pods at locations that the sender does not have.')),
  ),
  starts: timeText,
  ends: z.nullable(timeText),
  repeats: z.nullable(z.string()),
  next: z
    .nullable(z.object({ starts: timeText, ends: z.nullable(timeText) }))
    .check(z.describe('The current occurrence, or else the next one.')),
  state: z.enum(['now', 'upcoming', 'over']),
  createdBy: z.string().check(z.describe('The name of a staff member; empty when an API key made it.')),
  createdAt: timeText,
  endedAt: z.nullable(timeText),
  version,
})
export type Closure = z.infer<typeof ClosureSchema>

/** The closure, and how many of the affected bookings were moved and cancelled. */
const SavedClosureSchema = z.extend(ClosureSchema, { moved: z.int(), cancelled: z.int() })
export type SavedClosure = z.infer<typeof SavedClosureSchema>

const AffectedBookingSchema = z.object({
  _id: z.string(),
  podId: z.string(),
  podTitle: z.string(),
  locationName: z.string(),
  city: z.string(),
  bookingDate: z.string(),
  startTime: timeText,
  endTime: timeText,
  status: z.enum(bookingStatuses),
  purpose: z.string(),
  /** Null for a booking of a staff member. */
  customerId: z.nullable(z.string()),
  username: z.string(),
  phone: z.string(),
  email: z.string(),
  company: z.string(),
  paid: z.number().check(z.describe('ZAR that were paid for the booking and not paid back.')),
  /** Pods that the booking can move to without changing its time. */
  free: z.array(z.extend(FreePodSchema, { city: z.string(), bufferMinutes: z.int() })),
})
export type AffectedBooking = z.infer<typeof AffectedBookingSchema>

export const ClosureListQuery = z.extend(z.omit(listQuery(['starts']), { search: true }), {
  state: z.optional(z.enum(['now', 'upcoming', 'over'], 'state must be now, upcoming or over')),
  location: z.optional(recordId),
  pod: z.optional(recordId),
})

const PreviewSchema = z.object({ bookings: z.array(AffectedBookingSchema) })

export const closureEndpoints = {
  list: endpoint(routes.closures.list, { query: ClosureListQuery, response: z.array(ClosureSchema) }),
  preview: endpoint(routes.closures.preview, { body: ClosureFields.check(isWhole), response: PreviewSchema }),
  export: endpoint(routes.closures.export, {
    body: z.omit(ClosureFields, { reason: true }).check(isWhole),
    query: z.object({ separator: csvSeparator }),
    response: z.string(),
    kind: 'csv',
  }),
  create: endpoint(routes.closures.create, {
    body: ClosureBody.check(isWhole),
    response: SavedClosureSchema,
    status: 201,
  }),
  update: endpoint(routes.closures.update, { body: ClosureEdit, response: SavedClosureSchema }),
  delete: endpoint(routes.closures.delete, { response: MessageSchema }),
}
