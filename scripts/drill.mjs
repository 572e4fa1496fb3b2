import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { keepBooking } from './drill/bookings.mjs'
import {
  cut,
  fillDisk,
  findRoles,
  freeDisk,
  killDatabase,
  killNode,
  mend,
  nodes,
  nodeUrl,
  primaryUrl,
  remove,
  startCluster,
  startNode,
  waitUntilWhole,
} from './drill/cluster.mjs'
import { drillPointInTime } from './drill/point-in-time.mjs'
import { attempt, run, waitFor } from './drill/processes.mjs'
import { signIn, startServer } from './drill/servers.mjs'

/**
 * `npm run drill`: runs three PostgreSQL servers under Patroni, etcd and HAProxy on this machine, two Podkeeper servers
 * on them, and a constant load of bookings. Meanwhile it kills the primary repeatedly, cuts the network between two
 * nodes and fills up a disk. Finally it looks for everything that was acknowledged. Needs root on Debian, and about ten
 * minutes; `-- --kills 3 --rate 50` makes it shorter.
 * `npm run drill -- container` tests the image instead, and `-- point-in-time` deletes everything and restores the
 * moment before.
 */

const { options, drill: chosen } = readArguments()
if (chosen === 'container') {
  const { drillContainer } = await import('./drill/container.mjs')
  process.exit((await drillContainer()) ? 0 : 1)
}

const PACKAGES = ['patroni', 'etcd-server', 'haproxy', 'postgresql', 'iproute2']
const BACK_WITHIN_MS = 15_000
/** More than once, because it depends on a race whether a primary that comes back takes the role from its successor. */
const CUTS = 3
const folder = join(tmpdir(), 'podkeeper-drill')
const kills = Number(options.kills)
const rate = Number(options.rate)

/** A misspelt drill must not become the one that takes the network of this machine apart. */
function readArguments() {
  const text = { type: 'string' }
  const { values, positionals } = parseArgs({
    options: { kills: { ...text, default: '10' }, rate: { ...text, default: '200' }, keep: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [drill = 'failover', ...others] = positionals
  if (!['failover', 'container', 'point-in-time'].includes(drill) || others.length > 0) {
    process.stderr.write('Usage: npm run drill -- [container | point-in-time] [--kills 3] [--rate 50] [--keep]\n')
    process.exit(1)
  }
  return { options: values, drill }
}

const say = (text) => process.stdout.write(`${text}\n`)

spawnSync(process.execPath, [join('scripts', 'build.mjs'), '--if-needed'], { stdio: 'inherit' })
if (chosen === 'point-in-time') process.exit((await drillPointInTime()) ? 0 : 1)
requirePackages()
process.once('SIGINT', () => {
  remove(folder)
  process.exit(130)
})
let isPassed = false
try {
  isPassed = await drill()
} catch (error) {
  say(`\n${error.stack}`)
} finally {
  if (!options.keep) remove(folder)
}
process.exit(isPassed ? 0 : 1)

async function drill() {
  say('Starting etcd, Patroni and PostgreSQL three times, and HAProxy …')
  await startCluster(folder)
  await query(primaryUrl('postgres'), 'create database podkeeper')
  const urls = await startServers()
  const { token, podIds } = await signIn(urls[0])
  await waitUntilWhole()

  const work = keepBooking(urls, token, podIds, rate)
  await pause(10_000)
  const events = []
  for (let round = 1; round <= kills; round++) {
    const isWhole = round % 2 === 0
    const { primary } = await findRoles()
    const what = isWhole ? `${round}: the machine of the primary dies` : `${round}: PostgreSQL of the primary is killed`
    await observe(work, events, what, async () => {
      if (isWhole) killNode(primary)
      else killDatabase(primary)
      await pause(12_000)
      if (isWhole) startNode(folder, primary)
    })
  }
  await observe(work, events, 'the network between the primary and its standby is cut for 20 s', async () => {
    const { primary, synchronous } = await findRoles()
    cut(primary, synchronous)
    await pause(20_000)
    mend(primary, synchronous)
  })
  for (let time = 1; time <= CUTS; time++) {
    const what = `${time}: the primary is cut off from both others, not from the servers, for 20 s`
    await observe(work, events, what, async () => {
      const { primary } = await findRoles()
      const others = nodes.filter((node) => node !== primary)
      for (const other of others) cut(primary, other)
      await pause(20_000)
      for (const other of others) mend(primary, other)
    })
  }
  await observe(work, events, 'the disk of the standby is full for 20 s', async () => {
    const { synchronous } = await findRoles()
    fillDisk(folder, synchronous)
    await pause(20_000)
    freeDisk(folder, synchronous)
  })
  await work.stop()
  await waitUntilWhole()
  return report(work.result, events)
}

/** Causes a failure, waits until the cluster is whole again, and records how long nobody could book. */
async function observe(work, events, what, happen) {
  const since = Date.now()
  await happen()
  await waitFor('a booking after it', () => work.findRecovery(since) !== undefined, 90_000)
  await waitUntilWhole()
  await pause(2_000)
  const gap = work.findLongestGap(since)
  events.push({ what, gap })
  say(`${what}: nothing booked for ${(gap / 1000).toFixed(1)} s`)
}

async function report({ acknowledged, ...counts }, events) {
  const { primary } = await findRoles()
  const rows = await query(
    primaryUrl('podkeeper'),
    `select id, pod_id, start_time from bookings where start_time >= '2040-01-01' and status <> 'Cancelled'`,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const isStored = ([id, slot]) =>
    stored.get(id)?.pod_id === slot.podId && stored.get(id)?.start_time.getTime() === slot.start
  const missing = [...acknowledged].filter((entry) => !isStored(entry))
  const places = new Set(rows.map((row) => `${row.pod_id} ${row.start_time.toISOString()}`))
  const winners = new Set([...acknowledged.values()].map(({ podId, start: at }) => `${podId} ${at}`))
  const behind = []
  for (const node of nodes) {
    const [{ count }] = await query(nodeUrl(node, 'podkeeper'), `select count(*)::int as count from bookings`)
    behind.push(`${node.name}${node.name === primary?.name ? ' (primary)' : ''} ${count}`)
  }
  const checks = [
    [`${acknowledged.size} bookings acknowledged, ${missing.length} of them missing`, missing.length === 0],
    [
      `${rows.length - places.size} times booked twice, of ${counts.contested} that two wanted`,
      rows.length === places.size,
    ],
    [`${acknowledged.size - winners.size} times two winners`, acknowledged.size === winners.size],
    [`${rows.length - acknowledged.size} stored that nobody was told of`, rows.length === acknowledged.size],
    [`${counts.refused.length} refused, ${counts.lost} given up after 90 s`, counts.refused.length + counts.lost === 0],
    [
      `writes back within ${Math.max(...events.map(({ gap }) => gap)) / 1000} s at the most`,
      events.every(({ gap }) => gap <= BACK_WITHIN_MS),
    ],
  ]
  say(
    `\n${counts.sent} sent (${counts.skipped} not sent as too many waited), ${counts.retried} sent again. Bookings: ${behind.join(', ')}`,
  )
  for (const [text, isWell] of checks) say(`${isWell ? 'yes' : 'NO '}  ${text}`)
  for (const reason of new Set(counts.refused)) say(`     refused: ${reason}`)
  return checks.every(([, isWell]) => isWell)
}

async function startServers() {
  const urls = []
  for (const port of [15_440, 15_441]) {
    const { url } = await startServer(port, { DATABASE_URL: primaryUrl('podkeeper'), DATA_DIR: folder })
    urls.push(url)
  }
  return urls
}

async function query(url, statement) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function requirePackages() {
  const isThere = () =>
    ['patroni', 'etcd', 'haproxy', 'ip'].every((name) => attempt('which', name)) && existsSync('/usr/lib/postgresql')
  if (isThere()) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`The drill needs root on Debian, and ${PACKAGES.join(', ')}.`)
  run('apt-get', 'update')
  run('apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES)
}
