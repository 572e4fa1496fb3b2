import { DAY } from '#contract/durations.ts'
import type { AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Instance, planInstances, selectRepeating } from './closures.repository.ts'
import { type ClosureTimes, listInstances, listPlanned, type Period, toPlanned } from './repetition.ts'

/**
 * Instances of repeating closures are stored as rows for a year ahead, and beyond that wherever somebody looks or books.
 * The closure is locked meanwhile: otherwise one that is changed or ended at this moment would get its former instances
 * back, for good.
 */

type Booked = Period & { podId: string }

/** How far free times are looked for. */
const SEARCHED_MS = 7 * DAY

/** Job: plans the instances of the coming year and the next one after it. Returns the number of new ones. */
export function planClosures({ db }: Pick<AppContext, 'db'>, now: Date): Promise<number> {
  return planEach(db, (times) => listPlanned(times, now))
}

async function planEach(db: Db | Tx, list: (times: ClosureTimes) => Instance[], podId?: string): Promise<number> {
  let planned = 0
  for (const { id } of await selectRepeating(db, podId).execute()) {
    planned += await inTransaction(db, async (tx) => {
      const times = await selectRepeating(tx).where('id', '=', id).forShare().executeTakeFirst()
      return times ? planInstances(tx, id, list(times)) : 0
    })
  }
  return planned
}

/** Plans the closures of pods for bookings that the job may not have reached. Call under the pods' lock. */
export async function planClosuresOfPods(tx: Tx, booked: readonly Booked[], now: Date): Promise<void> {
  const byPod = new Map<string, Booked[]>()
  for (const one of listUnplanned(booked, now)) byPod.set(one.podId, [...(byPod.get(one.podId) ?? []), one])
  for (const [podId, periods] of byPod) {
    for (const { id, ...times } of await selectRepeating(tx, podId).forShare().execute()) {
      await planInstances(tx, id, listInstances(times, periods))
    }
  }
}

/**
 * Plans all closures, or those of one pod, in the periods that somebody looks at, and around them, where free times are
 * looked for.
 */
export async function planClosuresAhead(
  db: Db | Tx,
  shown: readonly Period[],
  now: Date,
  podId?: string,
): Promise<void> {
  const searched = shown.map(({ start, end }) => ({
    start: new Date(start.getTime() - DAY),
    end: new Date(end.getTime() + SEARCHED_MS),
  }))
  const unplanned = listUnplanned(searched, now)
  if (unplanned.length > 0) await planEach(db, (times) => listInstances(times, unplanned), podId)
}

/** Lists what is beyond the planned year, or so near its end that the job, which runs hourly, may be behind. */
function listUnplanned<P extends Period>(periods: readonly P[], now: Date): P[] {
  const planned = toPlanned(now).end.getTime() - DAY
  return periods.filter(({ end }) => end.getTime() > planned)
}
