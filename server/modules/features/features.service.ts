import type { Feature } from '#contract/features.ts'
import type { Db } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import * as repository from './features.repository.ts'

/** At the place that is asked for, from which others move on; without one, or with a negative one, at the end. */
export async function createFeature(
  db: Db,
  { name, icon, order = -1 }: { name: string; icon: string; order?: number | undefined },
): Promise<Feature> {
  return inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    const position = order < 0 ? await repository.getNextPosition(tx) : order
    await repository.freePosition(tx, position)
    return repository.createFeature(tx, { id: createId(), name, icon, position })
  })
}

/** Absent fields stay as they are (rules §16.5). */
export async function updateFeature(
  db: Db,
  id: string,
  { name, icon }: { name?: string | undefined; icon?: string | undefined },
): Promise<Feature> {
  const isEmpty = name === undefined && icon === undefined
  const feature = isEmpty
    ? await repository.findFeature(db, id)
    : await repository.updateFeature(db, id, { name, icon })
  if (!feature) throw notFound('Feature')
  return feature
}

export async function setFeatureBlocked(db: Db, id: string, isBlocked: boolean): Promise<void> {
  if (!(await repository.updateFeature(db, id, { is_blocked: isBlocked }))) throw notFound('Feature')
}

/** Also when pods have it: they lose it (rules §7.3). */
export async function deleteFeature(db: Db, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    if (!(await repository.deleteFeature(tx, id))) throw notFound('Feature')
  })
}

/** In how many pods staff would miss it. */
export async function countPodsOfFeature(db: Db, id: string): Promise<number> {
  if (!(await repository.findFeature(db, id))) throw notFound('Feature')
  return repository.countPodsOfFeature(db, id)
}

/** All features, each once, or nothing changes: an order made from an outdated list would lose someone's work. */
export async function reorderFeatures(db: Db, items: readonly { id: string; order: number }[]): Promise<void> {
  // Sorting is stable: equal orders stay as they were sent.
  const ids = items.toSorted((a, b) => a.order - b.order).map((item) => item.id.toLowerCase())
  await inTransaction(db, async (tx) => {
    await repository.lockFeatureOrder(tx)
    const existing = await repository.listFeatureIds(tx)
    const sent = new Set(ids)
    const isComplete =
      sent.size === ids.length && ids.length === existing.length && existing.every((id) => sent.has(id))
    if (!isComplete) throw new AppError('order_outdated')
    await repository.updateFeaturePositions(tx, ids)
  })
}
