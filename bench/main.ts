import { measureEngine } from './measure-engine.ts'
import { measureFloods } from './measure-floods.ts'
import { measureGrowth } from './measure-growth.ts'
import { measureLarge } from './measure-large.ts'
import { measureLive } from './measure-live.ts'
import { measurePortal } from './measure-portal.ts'
import { measureSchedule } from './measure-schedule.ts'
import { type EngineReport, writeReport } from './report.ts'
import { type Amount, NOTHING_MORE, seed } from './seeded.ts'
import { startProduct } from './servers.ts'

const MILLION = { bookings: 1_000_000, transactions: 1_000_000, users: 200_000, pods: 2_000 }
/** The same number of bookings in fewer pods, because the schedule shows all pods. */
const MILLION_IN_500_PODS = { bookings: 1_000_000, transactions: 0, users: 20_000, pods: 500 }
const HUNDRED_THOUSAND = { bookings: 100_000, transactions: 100_000, users: 20_000, pods: 200 }
/**
 * The amounts of a platform after five years, and the factors by which they are multiplied: BENCH_GROWTH=1,3:10
 * measures the amounts as they are, and then with 3 times the bookings and 10 times the history.
 */
const FIVE_YEARS = { bookings: 1_000_000, transactions: 200_000, users: 200_000, pods: 2_000, changes: 5_000_000 }
const GROWTH = (process.env.BENCH_GROWTH ?? '1,10').split(',').map((times) => times.split(':').map(Number))

/**
 * `npm run bench`: measures every important path and its limit in the same run. It always uses the embedded database,
 * and PostgreSQL too when BENCH_DATABASE_URL names a server, on which databases are created and dropped. With
 * BENCH_SEEDED_URL it measures an existing database that db:seed has filled. BENCH_KEEP=1 keeps the database of the
 * run, so that BENCH_SEEDED_URL can name it later.
 */
const serverUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
const seededUrl = process.env.BENCH_SEEDED_URL
/** The parts to run. By default all except `growth`, which takes nearly two hours and 60 GB. */
const parts = process.argv.slice(2)
const known = ['first-days', 'million', 'embedded', 'schedule', 'floods', 'growth', 'live', 'portal'] as const
const unknown = parts.filter((part) => !known.some((name) => name === part))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. The parts are ${known.join(', ')}.\n`)
  process.exit(1)
}
if (isWanted('first-days')) {
  if (serverUrl) await writeReport(await measureEngine('PostgreSQL, demo data', serverUrl))
  await writeReport(await measureEngine('embedded, demo data', undefined))
}
if (isWanted('million') && serverUrl) await writeReport(await measureSeeded(MILLION, serverUrl))
if (isWanted('embedded')) await writeReport(await measureSeeded(HUNDRED_THOUSAND, undefined))
if (isWanted('schedule') && serverUrl) await writeReport(await measureScheduleAlone(serverUrl))
if (isWanted('floods')) {
  if (serverUrl) await writeReport(await measureFloods(serverUrl))
  await writeReport(await measureFloods(undefined))
}
if (parts.includes('growth') && serverUrl) await measureGrowthOf(serverUrl)
if (isWanted('live')) await writeReport(await measureLive())
if (isWanted('portal')) await writeReport(await measurePortalAlone())

function isWanted(part: Exclude<(typeof known)[number], 'growth'>): boolean {
  return parts.length === 0 || parts.includes(part)
}

async function measurePortalAlone(): Promise<EngineReport> {
  const seeded = await seed(NOTHING_MORE)
  const server = await startProduct(seeded.settings)
  try {
    return { engine: 'the portal, in headless Chromium', rows: await measurePortal(server.url) }
  } finally {
    await server.stop()
    await seeded.remove()
  }
}

async function measureScheduleAlone(serverUrl: string): Promise<EngineReport> {
  const seeded = await seed(MILLION_IN_500_PODS, serverUrl, seededUrl)
  try {
    return await measureSchedule(seeded)
  } finally {
    await seeded.remove()
  }
}

async function measureGrowthOf(serverUrl: string): Promise<void> {
  for (const [times = 1, historyTimes = times] of GROWTH) {
    const { bookings, transactions, users, pods, changes } = FIVE_YEARS
    const amount = {
      bookings: bookings * times,
      transactions: transactions * times,
      users: users * times,
      pods: pods * times,
      changes: changes * historyTimes,
    }
    const seeded = await seed({ ...amount, daysBehind: 5 * 365 }, serverUrl, seededUrl)
    try {
      await writeReport(await measureGrowth(seeded, amount.changes))
    } finally {
      await seeded.remove()
    }
  }
}

async function measureSeeded(amount: Amount, serverUrl: string | undefined): Promise<EngineReport> {
  const seeded = await seed(amount, serverUrl, serverUrl && seededUrl)
  try {
    return await measureLarge(seeded)
  } finally {
    await seeded.remove()
  }
}
