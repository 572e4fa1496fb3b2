import * as z from 'zod/mini'
import { bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import { companyLabels as labels } from './field-labels.ts'
import {
  fileQuery,
  listQuery,
  MessageSchema,
  optionalEmail,
  optionalText,
  requiredText,
  timeText,
  version,
} from './fields.ts'
import { routes } from './routes.ts'

/** A company that pods are booked for, with its contact and invoice details. */
const CompanySchema = z.object({
  _id: z.string(),
  name: z.string(),
  contactName: z.string(),
  email: z.string(),
  phone: z.string(),
  vatNumber: z.string(),
  billingAddress: z.string(),
  costCentre: z.string(),
  version,
})
export type Company = z.infer<typeof CompanySchema>

export const CompanyListQuery = z.extend(listQuery(['createdAt', 'name']), {
  status: z.optional(z.enum(['deleted'], 'status must be deleted, or left out')),
})

export const CompanyBody = z.object({
  name: requiredText(labels.name),
  contactName: z.optional(optionalText(labels.contactName)),
  email: z.optional(optionalEmail(labels.email)),
  phone: z.optional(optionalText(labels.phone, 40)),
  vatNumber: z.optional(optionalText(labels.vatNumber, 40)),
  billingAddress: z.optional(optionalText(labels.billingAddress, 500)),
  costCentre: z.optional(optionalText(labels.costCentre, 100)),
})

export const CompanyEdit = z.partial(CompanyBody)

/** An upcoming booking of the company, as its dialog shows it. */
const CompanyBookingSchema = z.object({
  _id: z.string(),
  podTitle: z.string(),
  locationName: z.string(),
  bookingDate: z.string(),
  startTime: timeText,
  endTime: timeText,
  status: z.enum(bookingStatuses),
})
export type CompanyBooking = z.infer<typeof CompanyBookingSchema>

/**
 * `upcomingBookings` counts all upcoming bookings; `bookings` lists the next ten that the caller may see (rules §29.4).
 */
const CompanyUpcomingSchema = z.object({ upcomingBookings: z.int(), bookings: z.array(CompanyBookingSchema) })

export const companyEndpoints = {
  list: endpoint(routes.companies.list, { query: CompanyListQuery, response: z.array(CompanySchema) }),
  get: endpoint(routes.companies.get, { response: CompanySchema }),
  create: endpoint(routes.companies.create, { body: CompanyBody, response: CompanySchema, status: 201 }),
  update: endpoint(routes.companies.update, { body: CompanyEdit, response: CompanySchema }),
  delete: endpoint(routes.companies.delete, { response: MessageSchema }),
  upcomingBookings: endpoint(routes.companies.upcomingBookings, { response: CompanyUpcomingSchema }),
  export: endpoint(routes.companies.export, { query: fileQuery(CompanyListQuery), response: z.string(), kind: 'csv' }),
}
