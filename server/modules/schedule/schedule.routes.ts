import type { scheduleEndpoints } from '#contract/schedule.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getSchedule } from './schedule.service.ts'

export const scheduleHandlers: Handlers<typeof scheduleEndpoints> = {
  get: ({ context, query, session }) =>
    context.shareRead(['schedule', query, session.locations], () => getSchedule(context, query)),
}
