import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

export const searchGroups = ['pods', 'locations', 'users', 'bookings', 'transactions'] as const

const SearchHitSchema = z.object({ _id: z.string(), title: z.string(), detail: z.string() })

export const SearchSchema = z.object({
  groups: z.array(z.object({ group: z.enum(searchGroups), hits: z.array(SearchHitSchema) })),
})
export type SearchResult = z.infer<typeof SearchSchema>

export const searchEndpoints = {
  find: endpoint(routes.search.find, {
    query: z.object({ q: z.string().trim().min(1, { error: 'Type something to search for' }).max(200) }),
    response: SearchSchema,
  }),
}
