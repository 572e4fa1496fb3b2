import type { hourEndpoints } from '#contract/hours.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getOpeningHours, listHolidays, setOpeningHours } from './hours.service.ts'

export const hourHandlers: Handlers<typeof hourEndpoints> = {
  get: ({ context, query }) => getOpeningHours(context, query),
  update: ({ context, actor, session, query, body }) => setOpeningHours(context, actor, session, query, body),
  holidays: ({ query }) => listHolidays(query.country, query.year),
}
