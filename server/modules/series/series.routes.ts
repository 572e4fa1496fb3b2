import type { seriesEndpoints } from '#contract/series.ts'
import type { Handlers } from '#server/http/handler.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { cancelSeries, moveSeries, previewSeriesMove } from './change-series.service.ts'
import { createSeries, getSeries, previewSeries } from './series.service.ts'

export const seriesHandlers: Handlers<typeof seriesEndpoints> = {
  preview: async ({ context, session, body }) => ({ occurrences: await previewSeries(context, session, body) }),

  create: ({ context, actor, session, body }) =>
    createOnce(context, actor, async (context) => {
      const series = await createSeries(context, actor, session, body)
      return { message: `${toBookings(series.bookings.length)} created`, series }
    }),

  get: ({ context, session, params }) => getSeries(context.db, session, params.id, toBusinessNow(context)),

  previewUpdate: async ({ context, session, params, query, body }) => ({
    occurrences: await previewSeriesMove(context, session, params.id, query, body),
  }),

  update: async ({ context, actor, session, params, query, body }) => {
    const moved = await moveSeries({ context, actor, session, id: params.id }, query, body)
    return { message: `${toBookings(moved)} moved` }
  },

  cancel: async ({ context, actor, session, params, query }) => {
    const cancelled = await cancelSeries({ context, actor, session, id: params.id }, query)
    return { message: `${toBookings(cancelled)} cancelled` }
  },
}

const toBookings = (count: number) => (count === 1 ? '1 booking' : `${count} bookings`)
