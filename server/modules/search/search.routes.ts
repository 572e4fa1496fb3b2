import type { searchEndpoints } from '#contract/search.ts'
import type { Handlers } from '#server/http/handler.ts'
import { search } from './search.service.ts'

export const searchHandlers: Handlers<typeof searchEndpoints> = {
  find: ({ context, query, session }) => search(context.db, session, query.q),
}
