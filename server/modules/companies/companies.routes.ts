import type { companyEndpoints } from '#contract/companies.ts'
import { PAGE } from '#contract/pages.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { requireOnePage } from '#server/http/session.ts'
import { countUpcomingBookings, toBusinessNow } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { exportCompanies } from './companies.export.ts'
import { listCompanies, listUpcomingBookings } from './companies.repository.ts'
import { createCompany, deleteCompany, getCompany, updateCompany } from './companies.service.ts'

export const companyHandlers: Handlers<typeof companyEndpoints> = {
  list: async ({ context, session, query }) => {
    // Others read this list to filter bookings.
    if (query.status === 'deleted') requireOnePage([PAGE.corporateBooking], session)
    return listed(query, listCompanies(context.db, query))
  },

  get: ({ context, params }) => getCompany(context.db, params.id),

  create: ({ context, actor, body }) => createOnce(context, actor, ({ db }) => createCompany(db, actor, body)),

  update: ({ context, actor, params, body }) => updateCompany(context.db, actor, params.id, body),

  delete: async ({ context, actor, params }) => {
    await deleteCompany(context.db, actor, params.id)
    return { message: 'Company deleted successfully' }
  },

  upcomingBookings: async ({ context, session, params }) => {
    const counted = await countUpcomingBookings(context, 'company', params.id)
    const now = toBusinessNow(context)
    // Staff without the Booking page see only the bookings that they made themselves.
    const ofStaff = session.pages.includes(PAGE.bookings) ? undefined : session.id
    return { ...counted, bookings: await listUpcomingBookings(context.db, params.id, now, ofStaff) }
  },

  export: exportCompanies,
}
