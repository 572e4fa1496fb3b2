import { sql } from 'kysely'
import type { Tx } from '#server/db/client.ts'

/** What a pod can be given. */

/**
 * Keeps the location from being deleted or changed until the transaction ends: the pod is found by its name, and a
 * rename would miss a pod that is only just coming.
 */
export async function findLocationForPod(tx: Tx, locationId: string): Promise<{ is_blocked: boolean } | undefined> {
  return tx
    .selectFrom('locations')
    .select('is_blocked')
    .where('id', '=', locationId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** A feature that is deleted meanwhile stays with the pod, hidden, as with every other pod. */
export async function listFeaturesForPod(tx: Tx, featureIds: string[]) {
  return tx
    .selectFrom('features')
    .select(['id', 'name', 'is_blocked'])
    .where(sql<boolean>`id = any(${featureIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

export async function listFeatureIdsOfPod(tx: Tx, podId: string): Promise<string[]> {
  const rows = await tx.selectFrom('pod_features').select('feature_id').where('pod_id', '=', podId).execute()
  return rows.map(({ feature_id }) => feature_id)
}

/** Removes a pod's features. Deleted features stay, hidden, so that the pod has them again when they are restored. */
export async function removeFeatures(tx: Tx, podId: string): Promise<void> {
  await tx
    .deleteFrom('pod_features')
    .using('features')
    .whereRef('features.id', '=', 'pod_features.feature_id')
    .where('features.deleted_at', 'is', null)
    .where('pod_id', '=', podId)
    .execute()
}

export async function addFeatures(tx: Tx, podId: string, featureIds: string[]): Promise<void> {
  await tx
    .insertInto('pod_features')
    .values(featureIds.map((feature_id, position) => ({ pod_id: podId, feature_id, position })))
    .execute()
}
