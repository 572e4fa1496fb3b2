import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { PAGE } from './pages.ts'
import { routes } from './routes.ts'

/** Keys of the pages whose records the header's search finds, in the order in which it shows them. */
export const searchGroups = [
  'pods',
  'locations',
  'users',
  'bookings',
  'transactions',
] as const satisfies (keyof typeof PAGE)[]
export type SearchGroup = (typeof searchGroups)[number]

const SearchHitSchema = z.object({ _id: z.string(), title: z.string(), detail: z.string() })

const SearchSchema = z.object({
  groups: z.array(z.object({ group: z.enum(searchGroups), hits: z.array(SearchHitSchema) })),
})
export type SearchResult = z.infer<typeof SearchSchema>

const nothingTyped = 'Type something to search for'
const SearchText = z
  .string(nothingTyped)
  .check(z.trim(), z.minLength(1, nothingTyped), z.maxLength(200, 'A search may have at most 200 characters'))

export const searchEndpoints = {
  find: endpoint(routes.search.find, {
    query: z.object({ q: SearchText }),
    response: SearchSchema,
  }),
}
