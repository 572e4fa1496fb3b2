import * as z from 'zod/mini'
import { liveEntities } from './audit-entities.ts'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

/** Tells that a record has changed, but not how: clients that show the record read it again. */
export const LiveChangeSchema = z.object({
  entity: z.enum(liveEntities),
  /** Absent when too many records have changed at once to list them, and for those who may not read the record. */
  id: z.optional(z.string()),
  /** 1 for a new record. */
  version: z.optional(z.number()),
  /** The tab that made the change. */
  tab: z.optional(z.string()),
})
export type LiveChange = z.infer<typeof LiveChangeSchema>

export const EditedRecordSchema = z.object({
  entity: z.enum(liveEntities),
  id: z.uuid('id must be the id of a record').check(z.toLowerCase()),
})
export type EditedRecord = z.infer<typeof EditedRecordSchema>

export const EditorSchema = z.object({ _id: z.string(), name: z.string() })
export type Editor = z.infer<typeof EditorSchema>

/** Who has a record open in a form; sent whenever that changes. */
export type LiveEditors = EditedRecord & { editors: Editor[] }

export const liveEndpoints = {
  stream: endpoint(routes.live.stream, { response: z.string(), kind: 'events' }),
  edit: endpoint(routes.live.edit, {
    ifMatch: 'unused',
    body: z.object({ record: z.nullable(EditedRecordSchema) }),
    response: z.object({ editors: z.array(EditorSchema) }),
  }),
}
