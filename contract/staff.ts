import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { staffLabels as labels } from './field-labels.ts'
import {
  blockedFilter,
  email,
  fileQuery,
  listQuery,
  MessageSchema,
  numberAsText,
  optionalText,
  passwordOrEmpty,
  recordId,
  requiredPassword,
  requiredText,
  UpcomingBookingsSchema,
  version,
} from './fields.ts'
import { pageCodes, parsePageCode } from './pages.ts'
import { routes } from './routes.ts'

export const StaffSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  mobile: z.string(),
  role: z.string(),
  auth_page: z.array(z.string()),
  /** The pages in `auth_page` that they may view but not edit. Absent when there are none, as older clients expect. */
  viewOnlyPages: z.optional(z.array(z.string())),
  /** The ids of their locations. Absent when they have all, as older clients expect. */
  locations: z.optional(z.array(z.string())),
  /** Absent when they have none. */
  hasSecondFactor: z.optional(z.boolean()),
  isBlocked: z.boolean(),
  version,
})
export type Staff = z.infer<typeof StaffSchema>

/** Staff as they see themselves. */
export const SignedInStaffSchema = z.pick(StaffSchema, {
  _id: true,
  firstname: true,
  lastname: true,
  email: true,
  phoneNumber: true,
  role: true,
})
export type SignedInStaff = z.infer<typeof SignedInStaffSchema>

export const StaffListQuery = z.extend(listQuery(['createdAt', 'name', 'email']), {
  status: blockedFilter,
  /** Only staff who hold this page, with the given `level` if there is one (rules §34.5). */
  access: z.optional(
    z.enum(pageCodes.map(String), `access must be a page code ${pageCodes[0]} to ${pageCodes.at(-1)}`),
  ),
  /** Without `access`, only staff who have this level for any page. */
  level: z.optional(z.enum(['view', 'edit'], 'level must be view or edit')),
  /** Only staff who have this location, be it among some or because they have all. */
  location: z.optional(recordId),
  secondFactor: z.optional(z.enum(['yes', 'no'], 'secondFactor must be yes or no')),
})

const phone = z.pipe(
  z.union([z.string(), numberAsText], `${labels.phoneNumber} must be text`),
  optionalText(labels.phoneNumber, 40),
)

/** Accepts page codes as numbers or text; sorts them and removes duplicates. */
export const pageCodeList = (name: string) =>
  z
    .pipe(
      z.array(z.unknown(), `${name} must be a list of page codes`),
      z.transform((values, ctx) => {
        const codes = values.map(parsePageCode)
        if (codes.includes(undefined)) {
          const message = `${name} must hold page codes ${pageCodes[0]} to ${pageCodes.at(-1)}`
          ctx.issues.push({ code: 'custom', message, input: values })
          return z.NEVER
        }
        return [...new Set(codes.filter((code) => code !== undefined))].sort((a, b) => a - b)
      }),
    )
    .check(z.describe('Page codes 1 to 9, as numbers or text.'))

export const viewOnlyPageList = pageCodeList('viewOnlyPages').check(
  z.describe('Those of `auth_page` that may be viewed, but not changed.'),
)

/** Accepts location ids; sorts them and removes duplicates. */
export const locationList = z.pipe(
  z
    .array(z.uuid('locations must hold ids of locations'), 'locations must be a list of ids, or null')
    .check(z.minLength(1, 'Choose at least one location'), z.maxLength(1000, 'These are too many locations')),
  z.transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))].sort()),
)

const StaffFields = z.object({
  firstname: requiredText(labels.firstname, 100),
  lastname: optionalText(labels.lastname, 100),
  email: email(labels.email),
  phoneNumber: phone,
  password: requiredPassword,
  role: optionalText(labels.role, 100),
  auth_page: pageCodeList('auth_page'),
  /** The pages in `auth_page` that they may view but not edit. When absent, they may edit them all (rules §34.1). */
  viewOnlyPages: viewOnlyPageList,
  /** Null for all locations, including future ones. */
  locations: z.nullable(locationList),
})

export const StaffBody = z.extend(StaffFields, {
  lastname: z._default(StaffFields.shape.lastname, ''),
  phoneNumber: z._default(phone, ''),
  role: z._default(StaffFields.shape.role, ''),
  /** When absent, the person chooses a password through a link (rules §33.1). */
  password: z.optional(requiredPassword),
  auth_page: z._default(StaffFields.shape.auth_page, []),
  viewOnlyPages: z._default(StaffFields.shape.viewOnlyPages, []),
  locations: z._default(StaffFields.shape.locations, null),
})

export const StaffEdit = z.partial(z.extend(StaffFields, { password: passwordOrEmpty }))

export const staffEndpoints = {
  list: endpoint(routes.staff.list, { query: StaffListQuery, response: z.array(StaffSchema) }),
  create: endpoint(routes.staff.create, {
    body: StaffBody,
    response: z.extend(StaffSchema, {
      message: z.string(),
      /** Whether a mail with a link to choose a password is on its way. If not, `createPasswordLink` creates one. */
      isLinkMailed: z.boolean(),
    }),
    status: 201,
  }),
  update: endpoint(routes.staff.update, {
    ifMatch: 'optional',
    body: StaffEdit,
    response: z.extend(StaffSchema, { message: z.string() }),
  }),
  block: endpoint(routes.staff.block, { ifMatch: 'optional', response: MessageSchema }),
  unblock: endpoint(routes.staff.unblock, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.staff.delete, { ifMatch: 'optional', response: MessageSchema }),
  createPasswordLink: endpoint(routes.staff.createPasswordLink, {
    /** `link` is shown once when it could not be mailed; otherwise it is null. */
    response: z.extend(MessageSchema, { link: z.nullable(z.string()) }),
  }),
  resetSecondFactor: endpoint(routes.staff.resetSecondFactor, { ifMatch: 'unused', response: MessageSchema }),
  upcomingBookings: endpoint(routes.staff.upcomingBookings, { response: UpcomingBookingsSchema }),
  export: endpoint(routes.staff.export, { query: fileQuery(StaffListQuery), response: z.string(), kind: 'csv' }),
  exportBookings: endpoint(routes.staff.exportBookings, {
    query: fileQuery(StaffListQuery),
    response: z.string(),
    kind: 'csv',
  }),
}
