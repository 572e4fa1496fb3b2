import * as z from 'zod/mini'
import { parseCountry } from './countries.ts'
import { endpoint } from './endpoint.ts'
import {
  BlockedSchema,
  blockedFilter,
  CurrentClosureSchema,
  listQuery,
  MessageSchema,
  numberAsText,
  numberLike,
  requiredText,
  UpcomingBookingsSchema,
  version,
} from './fields.ts'
import { DEFAULT_LATITUDE, DEFAULT_LONGITUDE } from './location-defaults.ts'
import { routes } from './routes.ts'

/** A location as included with a booking or payment. */
export const LocationDetailsSchema = z.object({
  _id: z.string(),
  name: z.string(),
  Street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country_code: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  isBlocked: z.boolean(),
})

export const LocationSchema = z.extend(LocationDetailsSchema, { version })
export type Location = z.infer<typeof LocationSchema>

/** Includes the number of pods, so that the locations screen can tell in advance that a location cannot be deleted. */
const LocationListItemSchema = z.extend(LocationSchema, {
  podCount: z.int(),
  /** The closure of a blocked location, for those who may block it or see closures; otherwise null. */
  closure: z.nullable(CurrentClosureSchema),
})
export type LocationListItem = z.infer<typeof LocationListItemSchema>

export const LocationListQuery = z.extend(listQuery(['name', 'city', 'createdAt']), { status: blockedFilter })

/** A postal code may be sent as a number; it is kept as text because of leading zeros. */
const zipText = z.pipe(z.union([z.string(), numberAsText], 'zip is required'), requiredText('zip', 20))

/** Stored as the ISO 3166 alpha-2 code; older clients send names and telephone codes (rules §6.3). */
const country = z.pipe(
  requiredText('country_code', 60),
  z.transform((text, ctx) => {
    const code = parseCountry(text)
    if (code !== undefined) return code
    ctx.issues.push({ code: 'custom', message: 'country_code must be a country, such as ZA', input: text })
    return z.NEVER
  }),
)

const LocationFields = z.object({
  name: requiredText('name'),
  Street: requiredText('Street'),
  city: requiredText('city'),
  state: requiredText('state'),
  zip: zipText,
  country_code: country,
  latitude: numberLike('latitude', { min: -90, max: 90 }),
  longitude: numberLike('longitude', { min: -180, max: 180 }),
})

export const LocationBody = z.extend(LocationFields, {
  latitude: z._default(LocationFields.shape.latitude, DEFAULT_LATITUDE),
  longitude: z._default(LocationFields.shape.longitude, DEFAULT_LONGITUDE),
})
export const LocationEdit = z.partial(
  z.extend(LocationFields, { isBlocked: z.boolean('isBlocked must be true or false') }),
)

export const locationEndpoints = {
  list: endpoint(routes.locations.list, {
    query: LocationListQuery,
    response: z.object({ data: z.array(LocationListItemSchema) }),
  }),
  get: endpoint(routes.locations.get, { response: LocationSchema }),
  create: endpoint(routes.locations.create, { body: LocationBody, response: LocationSchema, status: 201 }),
  update: endpoint(routes.locations.update, { ifMatch: 'optional', body: LocationEdit, response: LocationSchema }),
  block: endpoint(routes.locations.block, { ifMatch: 'optional', response: BlockedSchema }),
  unblock: endpoint(routes.locations.unblock, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.locations.delete, { ifMatch: 'optional', response: MessageSchema }),
  upcomingBookings: endpoint(routes.locations.upcomingBookings, { response: UpcomingBookingsSchema }),
}
