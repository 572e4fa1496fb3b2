import { sql } from 'kysely'
import type { closureEndpoints } from '#contract/closures.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { paidFor } from '../bookings/booking-page.repository.ts'
import { orders } from '../bookings/bookings.repository.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { formatTime } from '../exports/formatters.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { listClosures } from './closures.repository.ts'
import { createClosure, endClosure, previewClosure, updateClosure } from './closures.service.ts'

export const closureHandlers: Handlers<typeof closureEndpoints> = {
  list: async ({ context, query }) =>
    paged(await listClosures(context.db, { page: 1, limit: 10, ...query }, toBusinessNow(context))),
  preview: async ({ context, session, body }) => ({ bookings: await previewClosure(context, session, body) }),
  create: ({ context, actor, session, body }) =>
    createOnce(context, actor, (context) => createClosure(context, actor, session, body)),
  update: ({ context, actor, session, params, body }) => updateClosure(context, actor, session, params.id, body),
  delete: async ({ context, actor, params }) => {
    await endClosure(context, actor, params.id)
    return { message: 'Closure ended' }
  },
  export: async ({ context, actor, session, query }) => {
    const { db } = context
    const { pods, location, starts, ends, repeats } = query
    const podIds = pods?.split(',').filter(Boolean) ?? []
    const isAsked = podIds.length > 0 || location !== undefined
    const bookings = isAsked
      ? await previewClosure(context, session, { podIds, locationId: location, starts, ends, repeats, reason: '' })
      : []
    const ids = bookings.map(({ _id }) => _id)
    const rows = db
      .selectFrom('bookings')
      .innerJoin('pods', 'pods.id', 'bookings.pod_id')
      .leftJoin('users', 'users.id', 'bookings.user_id')
      .leftJoin('staff', 'staff.id', 'bookings.staff_id')
      .leftJoin('companies', 'companies.id', 'bookings.company_id')
      .select(['bookings.id', 'booking_date', 'start_time', 'end_time', 'pods.title', 'companies.name as company'])
      .select(['bookings.created_at'])
      .select([
        sql<string>`concat_ws(' ', coalesce(users.firstname, staff.firstname), coalesce(users.lastname, staff.lastname))`.as(
          'who',
        ),
        sql<string>`coalesce(nullif(companies.phone, ''), users.mobile, staff.phone_number, '')`.as('phone'),
        sql<string>`coalesce(nullif(companies.email, ''), users.email, staff.email, '')`.as('email'),
        paidFor().as('paid'),
      ])
      .where(sql<boolean>`bookings.id = any(${ids}::uuid[])`)
    const order = toListOrder(orders, 'startTime', 'startTime')
    return csvDownload({ context, actor, entity: 'closure', filename: 'Closure_Bookings.csv', query }, columns, {
      rows,
      order,
    })
  },
}

const columns: CsvColumns = {
  'Booking Id': sql`page.id`,
  'Booking Date': sql`page.booking_date`,
  'Start Time': formatTime(sql`page.start_time`),
  'End Time': formatTime(sql`page.end_time`),
  'Pod Name': toCsvText(sql`page.title`),
  'User Name': toCsvText(sql`page.who`),
  Company: toCsvText(sql`coalesce(page.company, '')`),
  Phone: toCsvText(sql`page.phone`),
  Email: toCsvText(sql`page.email`),
  Paid: toCsvNumber(sql`page.paid`),
}
