import type { AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { listRepeating, planInstances } from './closures.repository.ts'
import { listInstances, type Period, toPlanned } from './repetition.ts'

/** The times of closures that repeat are planned as rows for a year ahead, and beyond that where somebody books. */

/** The job. Returns how many are new. */
export async function planClosures({ db }: Pick<AppContext, 'db'>, now: Date): Promise<number> {
  let planned = 0
  for (const { id, ...times } of await listRepeating(db)) {
    planned += await planInstances(db, id, listInstances(times, [toPlanned(now)]))
  }
  return planned
}

/** Under the pod's lock, before a booking further ahead than all is planned looks for closures. */
export async function planClosuresOfPod(tx: Tx, podId: string, booked: Period, now: Date): Promise<void> {
  if (booked.end <= toPlanned(now).end) return
  for (const { id, ...times } of await listRepeating(tx, podId)) {
    await planInstances(tx, id, listInstances(times, [booked]))
  }
}
