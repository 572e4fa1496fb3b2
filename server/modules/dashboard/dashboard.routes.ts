import type { dashboardEndpoints } from '#contract/dashboard.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getDashboard } from './dashboard.service.ts'
import { getToday } from './today.service.ts'

export const dashboardHandlers: Handlers<typeof dashboardEndpoints> = {
  today: ({ context, session: { pages, locations } }) =>
    context.shareRead(['today', pages, locations], () => getToday(context, { pages, locations })),

  get: async ({ context, params, query, session }) => {
    // Staff can open only their own dashboard (rules §11.1).
    if (params.userId !== session.staff._id) throw new AppError('page_required')
    const { pages, locations } = session
    return context.shareRead(['dashboard', query, pages, locations], () => getDashboard(context, pages, query.panel))
  },
}
