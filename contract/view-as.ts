import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, timeText } from './fields.ts'
import { routes } from './routes.ts'

/** The colleague whose view of the portal somebody sees in place of their own. */
const ViewedSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  /** The names of the colleague's locations; absent when they have all. */
  locationNames: z.optional(z.array(z.string())),
  /** When the view ends automatically. */
  until: timeText,
})
export type Viewed = z.infer<typeof ViewedSchema>

export const viewAsEndpoints = {
  /** `viewed` is null when the person sees their own portal. */
  get: endpoint(routes.viewAs.get, { response: z.object({ viewed: z.nullable(ViewedSchema) }) }),
  start: endpoint(routes.viewAs.start, { response: MessageSchema }),
  stop: endpoint(routes.viewAs.stop, { ifMatch: 'unused', response: MessageSchema }),
}
