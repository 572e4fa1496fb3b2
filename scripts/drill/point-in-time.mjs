import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { keepBooking } from './bookings.mjs'
import { attempt, run, waitFor } from './processes.mjs'
import { signIn, startServer } from './servers.mjs'

/**
 * `npm run drill -- point-in-time`: runs a separate PostgreSQL whose log is archived by pgbackrest, a server on it, and
 * bookings. Then everything is deleted, and the database is restored to the moment before. The settings are those of
 * docs/operations.md.
 */

const PACKAGES = ['pgbackrest', 'postgresql']
const PORT = 15_462
const SERVER_PORT = 15_463
const RATE = 20
const folder = join(tmpdir(), 'podkeeper-drill-point-in-time')
const data = join(folder, 'database')
const settings = join(folder, 'pgbackrest.conf')
const url = `postgres://postgres@127.0.0.1:${PORT}/podkeeper`

const say = (text) => process.stdout.write(`${text}\n`)
const asPostgres = (command, ...args) => run('runuser', '-u', 'postgres', '--', command, ...args)
const pgbackrest = (...args) => asPostgres('pgbackrest', `--config=${settings}`, '--stanza=podkeeper', ...args)
const binary = (name) => join(findBinaries(), name)

/** Returns whether everything was restored as expected. */
export async function drillPointInTime() {
  requirePackages()
  remove()
  try {
    await startDatabase()
    return await lose()
  } finally {
    if (!process.argv.includes('--keep')) remove()
  }
}

async function lose() {
  pgbackrest('stanza-create')
  const server = await startServer(SERVER_PORT, { DATABASE_URL: url, DATA_DIR: folder })
  say(`a full backup took ${timed(() => pgbackrest('--type=full', 'backup'))}`)
  const { token, podIds } = await signIn(server.url)
  const work = keepBooking([server.url], token, podIds, RATE)
  await pause(10_000)
  say(`an incremental one, while people booked, took ${timed(() => pgbackrest('--type=incr', 'backup'))}`)
  await pause(5_000)
  await work.stop()
  const before = await readAll()
  const { acknowledged } = work.result
  const [{ now: moment }] = await query('select now()::text as now')
  await pause(2_000)
  await query(`truncate users, pods, bookings cascade`)
  say(`at ${moment} there were ${before.length} bookings; ${(await readAll()).length} after everything was deleted`)
  // Later writes are in the log too, and must not be restored.
  await query(`create table made_later (id int)`)
  server.child.kill('SIGKILL')
  stopDatabase()

  const took = timed(() =>
    pgbackrest('--delta', '--type=time', `--target=${moment}`, '--target-action=promote', 'restore'),
  )
  const since = Date.now()
  await startPostgres()
  await waitFor('the end of the recovery', async () => {
    const [{ recovering }] = await query('select pg_is_in_recovery() as recovering')
    return !recovering
  })
  say(`restoring took ${took}, replaying the log ${seconds(Date.now() - since)}`)
  const after = await readAll()
  const [{ later }] = await query(`select to_regclass('made_later') is not null as later`)
  const ids = new Set(after.map(({ id }) => id))
  const missing = [...acknowledged.keys()].filter((id) => !ids.has(id))
  const again = await startServer(SERVER_PORT, { DATABASE_URL: url, DATA_DIR: folder })
  const { token: newToken } = await signIn(again.url)
  const checks = [
    [`${after.length} bookings, every one as it was`, JSON.stringify(after) === JSON.stringify(before)],
    [
      `${acknowledged.size} bookings acknowledged, ${missing.length} of them missing`,
      acknowledged.size > 0 && missing.length === 0,
    ],
    ['nothing of after the moment has come back', !later],
    ['a server starts on it, and people sign in', newToken !== undefined],
  ]
  for (const [text, isWell] of checks) say(`${isWell ? 'yes' : 'NO '}  ${text}`)
  return checks.every(([, isWell]) => isWell)
}

async function startDatabase() {
  mkdirSync(folder, { recursive: true })
  for (const name of ['database', 'repository', 'log', 'lock', 'spool']) mkdirSync(join(folder, name))
  writeFileSync(
    settings,
    `[global]
repo1-path=${folder}/repository
repo1-retention-full=2
log-path=${folder}/log
lock-path=${folder}/lock
spool-path=${folder}/spool
start-fast=y
compress-type=lz4

[podkeeper]
pg1-path=${data}
pg1-port=${PORT}
pg1-socket-path=${folder}
`,
  )
  run('chown', '-R', 'postgres:postgres', folder)
  // The Podkeeper server runs as root and writes its own files here.
  chmodSync(folder, 0o777)
  asPostgres(binary('initdb'), '-D', data, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8')
  const lines = [
    `port = ${PORT}`,
    `unix_socket_directories = '${folder}'`,
    'wal_level = replica',
    'archive_mode = on',
    `archive_command = 'pgbackrest --config=${settings} --stanza=podkeeper archive-push %p'`,
    'archive_timeout = 60s',
  ]
  writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  run('chown', 'postgres:postgres', join(data, 'postgresql.auto.conf'))
  await startPostgres()
  await query('create database podkeeper', url.replace(/podkeeper$/, 'postgres'))
}

async function startPostgres() {
  asPostgres(binary('pg_ctl'), '-D', data, '-l', join(folder, 'log', 'postgresql.log'), '-w', '-t', '120', 'start')
  await waitFor('PostgreSQL', () => query('select 1', url.replace(/podkeeper$/, 'postgres')))
}

const stopDatabase = () => asPostgres(binary('pg_ctl'), '-D', data, '-m', 'fast', '-w', 'stop')

function remove() {
  if (existsSync(data)) {
    attempt('runuser', '-u', 'postgres', '--', binary('pg_ctl'), '-D', data, '-m', 'immediate', '-w', 'stop')
  }
  rmSync(folder, { recursive: true, force: true })
}

const readAll = () => query('select id, pod_id, status, start_time, end_time, version from bookings order by id')

async function query(statement, database = url) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

function timed(work) {
  const since = Date.now()
  work()
  return seconds(Date.now() - since)
}

/** Returns the folder of binaries of the newest installed PostgreSQL. */
function findBinaries() {
  return run('sh', '-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1').trim()
}

function requirePackages() {
  if (attempt('which', 'pgbackrest') && existsSync('/usr/lib/postgresql')) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`The drill needs root on Debian, and ${PACKAGES.join(', ')}.`)
  run('apt-get', 'update')
  run('apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES)
}
