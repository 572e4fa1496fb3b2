import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { toRequiredMessage } from './errors.ts'
import { podLabels as labels } from './field-labels.ts'
import {
  BlockedSchema,
  blockedFilter,
  CurrentClosureSchema,
  directionText,
  email,
  idLike,
  fileQuery,
  listQuery,
  MessageSchema,
  numberAsText,
  numberLike,
  numberLikeOrNull,
  optionalText,
  queryInteger,
  recordId,
  requiredText,
  UpcomingBookingsSchema,
  version,
} from './fields.ts'
import { LocationDetailsSchema } from './locations.ts'
import { MAX_BUFFER_MINUTES, MAX_POD_IMAGES, MAX_PODS_FEATURES, POD_DEFAULTS } from './pod-defaults.ts'
import { routes } from './routes.ts'
import { SECRET_MASK } from './secrets.ts'
import { SLOT_MINUTES } from './slots.ts'

const PodLocationSchema = z.omit(LocationDetailsSchema, { latitude: true, longitude: true })

const PodFeatureSchema = z.object({ _id: z.string(), name: z.string(), icon: z.string(), isBlocked: z.boolean() })

/** `thumbnail`, `placeholder` and the sizes are present only for images stored on this server. */
export const PodImageSchema = z.object({
  public_id: z.string(),
  url: z.string().check(z.describe('Begins with / where this server has the image, which needs no token.')),
  thumbnail: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  width: z.optional(z.int()),
  height: z.optional(z.int()),
})
export type PodImage = z.infer<typeof PodImageSchema>

export const PodSchema = z.object({
  _id: z.string(),
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  direction: directionText,
  location: PodLocationSchema,
  features: z.array(PodFeatureSchema),
  category: z.string(),
  images: z.array(PodImageSchema),
  timeSlot: z.string().check(z.describe('Kept for older clients: the hours are those of GET /opening-hours.')),
  isAvailable: z.boolean().check(z.describe('Kept for older clients: it decides nothing.')),
  isBlocked: z.boolean(),
  /**
   * The closure that blocks the pod; in lists, any closure of the pod or its location that applies now. Null for those
   * who may not see closures.
   */
  closure: z.nullable(CurrentClosureSchema),
  tags: z.string(),
  ratings: z.array(z.unknown()),
  ratingCount: z.int(),
  totalRating: z.string(),
  booking_requirements: z.string(),
  availability: z.string().check(z.describe('Words for customers, which decide nothing.')),
  cancellation_policy: z.string().check(z.describe('Words for customers, which decide nothing.')),
  safety_and_property: z.string(),
  UserId: z.string(),
  deviceId: z.string(),
  serial: z.string(),
  /** Always SECRET_MASK, never the stored password (rules §5.4). */
  password: z.literal(SECRET_MASK),
  email: z.string(),
  rate: z.number().check(z.describe('ZAR a minute.')),
  capacity: z.nullable(z.int()).check(z.describe('How many people it seats; null when that is not known.')),
  bufferMinutes: z.int().check(z.describe('Cleaning that is kept free after each booking.')),
  productId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version,
})
export type Pod = z.infer<typeof PodSchema>

/** Maximum number of people that a pod seats. */
const MAX_POD_CAPACITY = 50

export const PodListQuery = z.extend(listQuery(['title', 'createdAt', 'rate']), {
  status: blockedFilter,
  location: z.optional(recordId),
  closed: z.optional(
    z
      .enum(['now'], 'closed must be now')
      .check(z.describe('Only pods that are closed now, by a closure of the pod or of its location.')),
  ),
  minCapacity: z.optional(queryInteger('minCapacity', 1, MAX_POD_CAPACITY)),
  minBuffer: z.optional(queryInteger('minBuffer', 0, MAX_BUFFER_MINUTES)),
})

const imageInput = z.object({
  public_id: z.optional(z.union([optionalText('public_id', 500), numberAsText], 'public_id must be text')),
  /** Begins with / or http(s)://, unless it refers to an image stored on the server (rules §17.4). */
  url: requiredText('The url of an image', 2000),
})

const text = (label: string) => requiredText(label, 10_000)

const PodFields = z.object({
  title: requiredText(labels.title),
  description: text(labels.description),
  direction: requiredText(labels.direction, 2000),
  location: idLike(labels.location),
  features: z
    .array(idLike('Feature'), 'At least one feature is required')
    .check(
      z.minLength(1, 'At least one feature is required'),
      z.maxLength(MAX_PODS_FEATURES, `At most ${MAX_PODS_FEATURES} features`),
    ),
  images: z
    .array(imageInput, 'At least one image is required')
    .check(
      z.minLength(1, 'At least one image is required'),
      z.maxLength(MAX_POD_IMAGES, `At most ${MAX_POD_IMAGES} images`),
    ),
  booking_requirements: text(labels.booking_requirements),
  availability: text(labels.availability),
  cancellation_policy: text(labels.cancellation_policy),
  safety_and_property: text(labels.safety_and_property),
  UserId: requiredText(labels.UserId),
  deviceId: requiredText(labels.deviceId),
  serial: requiredText(labels.serial),
  password: z
    .string(toRequiredMessage(labels.password))
    .check(z.maxLength(500, `${labels.password} may have at most 500 characters`)),
  email: email(labels.email),
  rate: numberLike(labels.rate, { min: 0, max: 1_000_000, decimals: 4 }),
  capacity: numberLikeOrNull(labels.capacity, { min: 1, max: MAX_POD_CAPACITY, decimals: 0 }),
  bufferMinutes: numberLike(labels.bufferMinutes, { min: 0, max: MAX_BUFFER_MINUTES, decimals: 0 }).check(
    z.refine((minutes) => minutes % SLOT_MINUTES === 0, `${labels.bufferMinutes} must be a multiple of 15 minutes`),
    z.describe(`A number, or text that holds one, a multiple of 15, at most ${MAX_BUFFER_MINUTES}`),
  ),
  category: optionalText('Category', 100),
  timeSlot: optionalText(labels.timeSlot, 100),
  tags: optionalText(labels.tags, 1000),
  productId: optionalText(labels.productId, 100),
  isAvailable: z.boolean('isAvailable must be true or false'),
})

/** For a new pod, empty text counts as absent. */
const orDefault = (field: z.ZodMiniType<string, string>, value: string) =>
  z._default(
    z.pipe(
      field,
      z.transform((text) => (text === '' ? value : text)),
    ),
    value,
  )

/** Older clients do not know rates: they leave the field out or send it empty (rules §5.1). */
const rateOrNone = z.pipe(
  z.transform((value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value)),
  z.optional(PodFields.shape.rate),
)

export const PodBody = z.extend(PodFields, {
  rate: rateOrNone,
  password: PodFields.shape.password.check(
    z.minLength(1, toRequiredMessage(labels.password)),
    z.refine((password) => password !== SECRET_MASK, { error: toRequiredMessage(labels.password) }),
  ),
  category: orDefault(PodFields.shape.category, POD_DEFAULTS.category),
  timeSlot: orDefault(PodFields.shape.timeSlot, POD_DEFAULTS.timeSlot),
  tags: orDefault(PodFields.shape.tags, POD_DEFAULTS.tags),
  productId: orDefault(PodFields.shape.productId, POD_DEFAULTS.productId),
  capacity: z._default(PodFields.shape.capacity, null),
  bufferMinutes: z._default(PodFields.shape.bufferMinutes, 0),
  isAvailable: z._default(PodFields.shape.isAvailable, POD_DEFAULTS.isAvailable),
})
export type PodBody = z.infer<typeof PodBody>

/** Absent fields stay unchanged; the mask or empty text as the password keeps the stored one (rules §5.4). */
export const PodEdit = z.partial(z.extend(PodFields, { rate: rateOrNone }))
export type PodEdit = z.infer<typeof PodEdit>

export const podEndpoints = {
  list: endpoint(routes.pods.list, { query: PodListQuery, response: z.array(PodSchema) }),
  get: endpoint(routes.pods.get, { response: PodSchema }),
  create: endpoint(routes.pods.create, { body: PodBody, response: PodSchema, status: 201 }),
  update: endpoint(routes.pods.update, { ifMatch: 'optional', body: PodEdit, response: PodSchema }),
  block: endpoint(routes.pods.block, { ifMatch: 'optional', response: BlockedSchema }),
  unblock: endpoint(routes.pods.unblock, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.pods.delete, { ifMatch: 'optional', response: MessageSchema }),
  upcomingBookings: endpoint(routes.pods.upcomingBookings, { response: UpcomingBookingsSchema }),
  export: endpoint(routes.pods.export, { query: fileQuery(PodListQuery), response: z.string(), kind: 'csv' }),
}
