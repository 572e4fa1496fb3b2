import type { Updateable } from 'kysely'
import type { z } from 'zod'
import type { Feature, FeatureBody, FeatureEdit } from '#contract/features.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordCreation } from '../audit/record-change.ts'
import { recordEdit } from '../audit/record-edit.ts'
import { recordEvent } from '../audit/record-event.ts'
import * as repository from './features.repository.ts'

const { featureRecord } = repository

/** Creates a feature at position `order`, moving others back; without `order`, or when it is negative, at the end. */
export async function createFeature(
  db: Db,
  actor: Actor,
  { name, icon, order = -1 }: z.output<typeof FeatureBody>,
): Promise<Feature> {
  return inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    const position = order < 0 ? await repository.getNextPosition(tx) : order
    await repository.freePosition(tx, position)
    const id = createId()
    return recordCreation(tx, actor, featureRecord, id, () =>
      repository.createFeature(tx, { id, name, icon, position }),
    )
  })
}

/** Absent fields stay as they are (rules §16.5). */
export async function updateFeature(
  db: Db,
  actor: Actor,
  id: string,
  changes: z.output<typeof FeatureEdit>,
): Promise<Feature> {
  if (changes.name === undefined && changes.icon === undefined) {
    const feature = await repository.findFeature(db, id)
    if (!feature) throw notFound('Feature')
    return feature
  }
  return changeFeature(db, actor, { id, action: 'edit' }, changes)
}

export async function setFeatureBlocked(db: Db, actor: Actor, id: string, isBlocked: boolean): Promise<void> {
  await changeFeature(db, actor, { id, action: isBlocked ? 'block' : 'unblock' }, { is_blocked: isBlocked })
}

async function changeFeature(
  db: Db | Tx,
  actor: Actor,
  change: ChangeDetails,
  columns: Updateable<Database['features']>,
): Promise<Feature> {
  const row = await recordEdit(db, actor, featureRecord, change, columns)
  if (!row) throw notFound('Feature')
  return repository.toFeature(row)
}

/** Deletes a feature, even if pods have it. They lose it (rules §7.3), and get it back when it is restored. */
export async function deleteFeature(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    await changeFeature(tx, actor, { id, action: 'delete' }, { deleted_at: actor.now() })
  })
}

/** Returns the number of pods that would lose the feature. */
export async function countPodsOfFeature(db: Db, id: string): Promise<number> {
  if (!(await repository.findFeature(db, id))) throw notFound('Feature')
  return repository.countPodsOfFeature(db, id)
}

/** Requires every feature exactly once: an order made from an outdated list would overwrite somebody else's change. */
export async function reorderFeatures(
  db: Db,
  actor: Actor,
  items: readonly { id: string; order: number }[],
): Promise<void> {
  // Sorting is stable, so features with equal orders stay as they were sent.
  const ids = items.toSorted((a, b) => a.order - b.order).map(({ id }) => id)
  await inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    await moveFeatures(tx, actor, await repository.listFeatureIds(tx), ids)
  })
}

/** Puts the features in a new order, and records both orders in the history. */
export async function moveFeatures(
  tx: Tx,
  actor: Actor,
  before: string[],
  ids: string[],
  undoes?: string,
): Promise<void> {
  const sent = new Set(ids)
  const isComplete = sent.size === ids.length && ids.length === before.length && before.every((id) => sent.has(id))
  if (!isComplete) throw new AppError('order_outdated')
  await repository.updateFeaturePositions(tx, ids)
  if (ids.every((id, index) => id === before[index])) return
  await recordEvent(tx, actor, {
    action: 'reorder',
    entity: 'feature',
    before: { order: before },
    after: { order: ids },
    ...(undoes ? { undoes } : {}),
  })
}
