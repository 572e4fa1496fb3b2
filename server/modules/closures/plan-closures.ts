import { DAY } from '#contract/durations.ts'
import type { AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { planInstances, selectRepeating } from './closures.repository.ts'
import { listInstances, listPlanned, type Period, toPlanned } from './repetition.ts'

/**
 * Instances of repeating closures are stored as rows for a year ahead, and beyond that wherever somebody books. The
 * closure is locked meanwhile: otherwise one that is changed or ended at this moment would get its former instances
 * back, for good.
 */

type Booked = Period & { podId: string }

/** Job: plans the instances of the coming year and the next one after it. Returns the number of new ones. */
export async function planClosures({ db }: Pick<AppContext, 'db'>, now: Date): Promise<number> {
  let planned = 0
  for (const { id } of await selectRepeating(db).execute()) {
    planned += await inTransaction(db, async (tx) => {
      const times = await selectRepeating(tx).where('id', '=', id).forShare().executeTakeFirst()
      return times ? planInstances(tx, id, listPlanned(times, now)) : 0
    })
  }
  return planned
}

/** Plans the closures of pods for bookings that the job may not have reached. Call under the pods' lock. */
export async function planClosuresOfPods(tx: Tx, booked: readonly Booked[], now: Date): Promise<void> {
  const byPod = new Map<string, Booked[]>()
  for (const one of listUnplanned(booked, now)) byPod.set(one.podId, [...(byPod.get(one.podId) ?? []), one])
  for (const [podId, periods] of byPod) {
    for (const { id, ...times } of await selectRepeating(tx, podId).orderBy('id').forShare().execute()) {
      await planInstances(tx, id, listInstances(times, periods))
    }
  }
}

/** Does the same for previews, which hold no lock: without one, a closure that has just been ended could come back. */
export async function planClosuresAhead(db: Db, booked: readonly Booked[], now: Date): Promise<void> {
  const unplanned = listUnplanned(booked, now)
  if (unplanned.length === 0) return
  await inTransaction(db, async (tx) => {
    await lockPods(tx, [...new Set(unplanned.map(({ podId }) => podId))])
    await planClosuresOfPods(tx, unplanned, now)
  })
}

/** Lists what is beyond the planned year, or so near its end that the job, which runs hourly, may be behind. */
function listUnplanned(booked: readonly Booked[], now: Date): Booked[] {
  const planned = toPlanned(now).end.getTime() - DAY
  return booked.filter(({ end }) => end.getTime() > planned)
}
