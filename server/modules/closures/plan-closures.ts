import type { AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { listRepeating, planInstances } from './closures.repository.ts'
import { listInstances, type Period, toPlanned } from './repetition.ts'

/** Instances of repeating closures are stored as rows for a year ahead, and beyond that wherever somebody books. */

/** Job: plans the instances of the coming year. Returns the number of new ones. */
export async function planClosures({ db }: Pick<AppContext, 'db'>, now: Date): Promise<number> {
  let planned = 0
  for (const { id, ...times } of await listRepeating(db)) {
    planned += await planInstances(db, id, listInstances(times, [toPlanned(now)]))
  }
  return planned
}

/** Plans a pod's closures for a booking beyond the planned period. Call under the pod's lock, before reading them. */
export async function planClosuresOfPod(tx: Tx, podId: string, booked: Period, now: Date): Promise<void> {
  if (booked.end <= toPlanned(now).end) return
  for (const { id, ...times } of await listRepeating(tx, podId)) {
    await planInstances(tx, id, listInstances(times, [booked]))
  }
}
