import type { Actor } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { recordChanges } from '../audit/record-change.ts'
import { locationRecord } from './locations.repository.ts'

/** Sets a column of all locations in a few statements. The history of each location that changes has its change. */
export async function setForAllLocations(
  tx: Tx,
  actor: Actor,
  column: 'reminder_hours' | 'no_show_minutes',
  value: number | null,
): Promise<void> {
  const others = await tx
    .selectFrom('locations')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(column, 'is distinct from', value)
    .execute()
  const change = { ids: others.map(({ id }) => id), action: 'edit' } as const
  await recordChanges(tx, { ...actor, expects: 'any' }, locationRecord, change, async (before) => {
    await tx
      .updateTable('locations')
      .set({ [column]: value })
      .where('id', 'in', [...before.keys()])
      .execute()
  })
}
