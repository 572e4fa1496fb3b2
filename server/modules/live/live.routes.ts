import { describeLive } from '#contract/audit-entities.ts'
import type { liveEndpoints } from '#contract/live.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listSeen } from '#server/http/locations.ts'
import { eventStream } from '#server/http/results.ts'
import { requireOnePage } from '#server/http/session.ts'
import { readTab } from '#server/http/tab.ts'

export const liveHandlers: Handlers<typeof liveEndpoints> = {
  stream: async ({ context, request, session }) => {
    // A client that expects a complete response would wait for ever.
    if (!request.headers.accept?.includes('text/event-stream')) {
      throw new AppError('invalid_input', { message: 'This is a stream: ask for it with Accept: text/event-stream.' })
    }
    return eventStream(await context.live.open(session))
  },

  edit: async ({ context, request, session, body: { record } }) => {
    if (record) {
      const { readers } = describeLive(record.entity)
      requireOnePage(
        readers.flatMap(({ access }) => access),
        session,
      )
      if (session.locations && readers[0].locations !== 'none') {
        const seen = await listSeen(context.shortReads, record.entity, [record.id])
        if (!seen.has(record.id)) return { editors: [] }
      }
    }
    return { editors: context.live.edit(session, { tab: readTab(request) ?? '', record }) }
  },
}
