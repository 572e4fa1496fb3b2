import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'
import { searchGroups } from './search-groups.ts'

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
