import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Backups } from '#contract/backups.ts'
import { routes } from '#contract/routes.ts'
import { toWallClock } from '#contract/slots.ts'
import { alternate, p95 } from './measure.ts'
import { type EngineReport, type Row, toRow } from './report.ts'
import { type Amount, seed } from './seeded.ts'
import { startProduct } from './servers.ts'
import { ask, get, type SignedServer, signIn } from './staff-requests.ts'

const AMOUNT: Amount = { bookings: 20_000, transactions: 20_000, users: 4_000, pods: 40 }
const ROUNDS = 3
const SECONDS = 5
const FLOOD_CLIENTS = 8
const FLOODS = ['sign-ins', 'uploads', 'exports', 'searches']
/** The pace of a colleague who turns pages, not the fastest possible. */
const PACE_MS = 40
const ZONE = 'UTC'

/** Measures the time of a colleague's pages while others send too many requests, and while the daily backup is made. */
export async function measureFloods(serverUrl: string | undefined): Promise<EngineReport> {
  const seeded = await seed(AMOUNT, serverUrl)
  const backups = await mkdtemp(join(tmpdir(), 'podkeeper-bench-backups-'))
  // Two minutes from now, so that there is time for a measurement before the backup.
  const at = toWallClock(new Date(Date.now() + 120_000), ZONE)
    .toISOString()
    .slice(11, 16)
  const settings = { ...seeded.settings, BACKUP_TO: backups, BACKUP_AT: at, BUSINESS_TIME_ZONE: ZONE }
  const server = await startProduct(settings)
  try {
    const signed = { url: server.url, ...(await signIn(server.url)) }
    const rows = [await measureBackup(signed)]
    for (const what of FLOODS) {
      const { product, limit } = await alternate(
        ROUNDS,
        () => measureBeside(signed, what),
        () => measurePages(signed, lasting()),
      )
      rows.push(toPagesRow(`a flood of ${what}, ${FLOOD_CLIENTS} clients`, product, limit))
    }
    return { engine: `floods, ${seeded.name}`, version: seeded.version, rows }
  } finally {
    await server.stop()
    await seeded.remove()
    await rm(backups, { recursive: true, force: true })
  }
}

const toPagesRow = (what: string, product: number, limit: number): Row =>
  toRow({ what: `a page of bookings beside ${what}, p95`, product, limit, of: 'alone', aim: '≤ 3' })

const lasting = () => {
  const until = performance.now() + SECONDS * 1000
  return () => performance.now() < until
}

/** Returns the p95 of a page that is requested at a steady pace. */
async function measurePages(server: SignedServer, goesOn: () => boolean): Promise<number> {
  const times: number[] = []
  while (goesOn()) {
    const started = performance.now()
    await ask(server, `${routes.bookings.list.path}?page=${1 + (times.length % 50)}`)
    times.push(performance.now() - started)
    await pause(PACE_MS)
  }
  return p95(times)
}

async function measureBeside(server: SignedServer, flood: string): Promise<number> {
  const { url, token } = server
  const flooding = spawn(
    process.execPath,
    [join('dist', 'bench', 'flood.js'), url, token, flood, String(FLOOD_CLIENTS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(flooding, 'exit')
  try {
    await Promise.race([once(flooding.stdout, 'data'), ended])
    const time = await measurePages(server, lasting())
    if (flooding.exitCode !== null) throw new Error(`The flood of ${flood} ended by itself`)
    return time
  } finally {
    flooding.kill('SIGKILL')
    await ended
  }
}

/** Measures the pages during the backup, and before and after it for comparison. */
async function measureBackup(server: SignedServer): Promise<Row> {
  const isMade = async () => ((await get(server, routes.backups.get.path)) as Backups).last !== null // by the contract
  const before = await measurePages(server, lasting())
  let made = false
  const { nextAt } = (await get(server, routes.backups.get.path)) as Backups // by the contract
  await pause(Math.max(0, Date.parse(nextAt ?? '') - Date.now()))
  const begun = performance.now()
  const watch = async () => {
    while (!made) {
      await pause(200)
      made = await isMade()
    }
  }
  const [beside] = await Promise.all([measurePages(server, () => !made), watch()])
  const seconds = (performance.now() - begun) / 1000
  const after = await measurePages(server, lasting())
  return toPagesRow(`the daily backup, ${seconds.toFixed(1)} s`, beside, (before + after) / 2)
}
