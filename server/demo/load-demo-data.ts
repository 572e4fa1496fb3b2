import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { toWallClock } from '#contract/slots.ts'
import type { AppContext } from '../context.ts'
import type { Db, Tx } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordLoaded } from '../modules/audit/record-change.ts'
import { closureRecord } from '../modules/closures/closures.repository.ts'
import { companyRecord } from '../modules/companies/companies.repository.ts'
import { featureRecord } from '../modules/features/features.repository.ts'
import { locationRecord } from '../modules/locations/locations.repository.ts'
import { podRecord } from '../modules/pods/pods.repository.ts'
import { staffRecord } from '../modules/staff/staff.repository.ts'
import { customerRecord } from '../modules/users/users.repository.ts'
import { planBookings } from './booking-plan.ts'
import { demoPods } from './demo-pods.ts'
import { dropFill, type FillSources, fillBookings, prepareFill } from './fill-bookings.ts'
import { hashStaffPasswords, insertCompanies, insertStaff, insertUsers } from './insert-people.ts'
import { closeUntilFurtherNotice, insertPods } from './insert-pods.ts'
import { rateFinishedPods } from './rate-pods.ts'
import { storePodImages } from './store-pod-images.ts'

/** Everything else was created before the first booking. */
const OPENED_DAYS_AGO = 400
/** Three months of bookings. */
const DAYS_BEHIND = 62
const DAYS_AHEAD = 30
const BOOKINGS = 3600
const TRANSACTIONS = 3400
/** The platform's base price per minute and its discount (rules §10.4, §10.5). */
const RATE = 2.5
const DISCOUNT_MINUTES = 30
const CLOSED_SINCE_DAYS = 11

type OnProgress = (text: string) => void

/**
 * Fills a new database with demo data; does nothing when there are locations or pods. All or nothing, except for
 * images, which a second run writes again under the same names.
 */
export async function loadDemoData(context: AppContext, onProgress?: OnProgress): Promise<void> {
  if (!(await isEmpty(context.db))) return
  const insert = await prepareDemoData(context, onProgress)
  await inTransaction(context.db, insert)
}

/** Stores the images and hashes the passwords, which needs no database; returns a function that inserts the rows. */
export async function prepareDemoData(
  context: AppContext,
  onProgress?: OnProgress,
): Promise<(tx: Tx) => Promise<void>> {
  const { config } = context
  const now = context.clock.now()
  const since = now.getTime() - OPENED_DAYS_AGO * DAY

  onProgress?.(`loading pods, people and ${BOOKINGS} bookings`)
  const [podImages, passwordHashes] = await Promise.all([
    storePodImages(context.storage, demoPods),
    hashStaffPasswords(),
  ])
  return async (tx) => {
    // When two servers start on one database, the second waits here and then finds the data.
    await sql`lock table locations, pods in share row exclusive mode`.execute(tx)
    if (!(await isEmpty(tx))) return
    const staffIds = await insertStaff(tx, passwordHashes, since)
    const userIds = await insertUsers(tx, since)
    const companyIds = await insertCompanies(tx, since)
    const podIds = await insertPods(tx, context.secrets, podImages, since)
    const instant = new Date(now.getTime() - CLOSED_SINCE_DAYS * DAY)
    const wallClock = toWallClock(instant, config.businessTimeZone)
    await closeUntilFurtherNotice(tx, podIds, staffIds[0] ?? null, { instant, wallClock })
    await insertBookings(tx, { podIds, userIds, staffIds, companyIds }, now, config.businessTimeZone)
    await rateFinishedPods(tx, podIds)
    await tx.updateTable('pricing').set({ rate: RATE, discount_minutes: DISCOUNT_MINUTES, updated_at: now }).execute()
    for (const kind of [
      locationRecord,
      featureRecord,
      podRecord,
      staffRecord,
      customerRecord,
      companyRecord,
      closureRecord(now),
    ])
      await recordLoaded(tx, kind)
  }
}

async function isEmpty(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<{ filled: boolean }>`
    select exists (select from locations) or exists (select from pods) as filled`.execute(db)
  return rows[0]?.filled === false
}

async function insertBookings(tx: Tx, sources: FillSources, now: Date, timeZone: string): Promise<void> {
  const wallNow = toWallClock(now, timeZone)
  await prepareFill(tx, sources)
  const batches = planBookings({
    blockedPods: new Set(demoPods.flatMap((pod, index) => (pod.closedFor ? [index + 1] : []))),
    podCount: demoPods.length,
    bookings: BOOKINGS,
    today: wallNow.toISOString().slice(0, 10),
    daysBehind: DAYS_BEHIND,
    daysAhead: DAYS_AHEAD,
    batchSize: BOOKINGS,
    seed: 'demo',
  })
  for (const batch of batches) await fillBookings(tx, batch, TRANSACTIONS, { now, wallNow, timeZone })
  await dropFill(tx)
}
