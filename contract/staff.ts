import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  blockedFilter,
  email,
  listQuery,
  MessageSchema,
  optionalText,
  passwordOrEmpty,
  requiredPassword,
  requiredText,
  UpcomingBookingsSchema,
} from './fields.ts'
import { parsePageCode } from './pages.ts'
import { routes } from './routes.ts'

const StaffSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  mobile: z.string(),
  role: z.string(),
  auth_page: z.array(z.string()),
  isBlocked: z.boolean(),
})
export type Staff = z.infer<typeof StaffSchema>

export const StaffListQuery = listQuery(['createdAt', 'name', 'email']).extend({ status: blockedFilter })

const phone = z
  .union([z.string(), z.number().transform(String)], { error: 'Phone number must be text' })
  .pipe(optionalText('Phone number', 40))

/** Page codes as numbers or texts; each of the nine at most once counts. */
const pageCodes = z.array(z.unknown(), { error: 'auth_page must be a list of page codes' }).transform((values, ctx) => {
  const codes = values.map(parsePageCode)
  if (codes.some((code) => code === undefined)) {
    ctx.addIssue({ code: 'custom', message: 'auth_page must hold page codes 1 to 9' })
    return z.NEVER
  }
  return [...new Set(codes.filter((code) => code !== undefined))].sort((a, b) => a - b)
})

const StaffFields = z.object({
  firstname: requiredText('First name', 100),
  lastname: optionalText('Last name', 100),
  email: email('Email'),
  phoneNumber: phone,
  password: requiredPassword,
  role: optionalText('Role', 100),
  auth_page: pageCodes,
})

export const StaffBody = StaffFields.extend({
  lastname: StaffFields.shape.lastname.default(''),
  phoneNumber: phone.default(''),
  role: StaffFields.shape.role.default(''),
  auth_page: pageCodes.default([]),
})

export const StaffEdit = StaffFields.extend({ password: passwordOrEmpty }).partial()

export const staffEndpoints = {
  list: endpoint(routes.staff.list, { query: StaffListQuery, response: z.array(StaffSchema) }),
  create: endpoint(routes.staff.create, {
    body: StaffBody,
    response: StaffSchema.extend({ message: z.string() }),
    status: 201,
  }),
  update: endpoint(routes.staff.update, { body: StaffEdit, response: StaffSchema.extend({ message: z.string() }) }),
  block: endpoint(routes.staff.block, { response: MessageSchema }),
  unblock: endpoint(routes.staff.unblock, { response: MessageSchema }),
  delete: endpoint(routes.staff.delete, { response: MessageSchema }),
  upcomingBookings: endpoint(routes.staff.upcomingBookings, { response: UpcomingBookingsSchema }),
  export: endpoint(routes.staff.export, { query: StaffListQuery, response: z.string(), kind: 'csv' }),
  exportBookings: endpoint(routes.staff.exportBookings, { query: StaffListQuery, response: z.string(), kind: 'csv' }),
}
