import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { routes } from '#contract/routes.ts'
import { alternate, p95 } from './measure.ts'
import { type Row, toRow } from './report.ts'
import { ask } from './staff-requests.ts'

const ROUNDS = 3
const ALONE_MS = 5_000
/** People look at a page before they click; without a pause the requests would mostly measure themselves. */
const PAUSE_MS = 20
const SAMPLE_MS = 25
const WATCH_ABORT_MS = 2_000

/** The data of the report's cells as raw columns, unordered: what the database alone needs to deliver. */
const JOIN = `
  select bookings.id, booking_date, purpose, start_time, end_time, pods.title, locations.name, street, city, state,
         country_code, zip, coalesce(users.firstname, staff.firstname), coalesce(users.lastname, staff.lastname), status
    from bookings
    join pods on pods.id = bookings.pod_id
    join locations on locations.id = bookings.location_id
    left join users on users.id = bookings.user_id
    left join staff on staff.id = bookings.staff_id`

export type RunningServer = { url: string; token: string; pid: number; databaseUrl: string }

/**
 * Measures Bookings_Report.csv of all bookings: its rate compared with COPY, its cost to the server and to others, and
 * how soon it stops when the client disconnects.
 */
export async function measureExports(server: RunningServer): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    const bookings = await countBookings(client)
    // This comes first, because a process keeps the memory of an earlier export for a while.
    const neighbours = await measureNeighbours(server)
    const rate = await alternate(
      ROUNDS,
      async () => bookings / (await timeSeconds(() => download(server, routes.bookings.export.path))),
      async () => bookings / (await timeSeconds(() => copy(server.databaseUrl))),
    )
    return [
      toRow({
        what: `Bookings_Report.csv of ${bookings.toLocaleString('en')} bookings`,
        ...rate,
        of: 'COPY of the same join',
        aim: '≥ 0.3',
        show: (rows) => `${Math.round(rows).toLocaleString('en')} rows/s`,
      }),
      ...neighbours,
      await measureAbort(server, client),
    ]
  } finally {
    await client.end()
  }
}

/**
 * Measures the server's memory and the time of a page of bookings, before and during an export; then the memory during
 * the complete list.
 */
async function measureNeighbours(server: RunningServer): Promise<Row[]> {
  const alone = await timePages(server, sleep(ALONE_MS))
  const before = readResidentBytes(server.pid)
  const file = await watchMemory(server, timePages(server, download(server, routes.bookings.export.path)))
  const list = await watchMemory(server, download(server, routes.bookings.list.path))
  const show = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`
  const toMemoryRow = (what: string, most: number) =>
    toRow({ what: `memory that the server needs for ${what}`, product: most - before, limit: 64_000_000, show })
  return [
    toMemoryRow('an export', file.most),
    toMemoryRow('the whole list without paging, JSON, since before the export', list.most),
    toRow({
      what: 'a page of bookings during an export, p95',
      product: p95(file.result),
      limit: p95(alone),
      of: 'alone',
      aim: '≤ 2',
    }),
  ]
}

/** Returns the work's result, and the most memory in bytes that the server held meanwhile. */
async function watchMemory<T>({ pid }: RunningServer, work: Promise<T>): Promise<{ result: T; most: number }> {
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, readResidentBytes(pid))
  }, SAMPLE_MS)
  const result = await work.finally(() => clearInterval(sampling))
  return { result, most }
}

/** Measures how long the database still works for an export after its client has disconnected. */
async function measureAbort(server: RunningServer, client: pg.Client): Promise<Row> {
  const { path } = routes.bookings.export
  const pattern = '%with page as %'
  const abort = new AbortController()
  // The request is meant to fail.
  void request(server, path, abort.signal)
    .then(({ body }) => body?.getReader().read())
    .catch(() => undefined)
  if (!(await isAtWork(client, pattern, 5_000)))
    throw new Error(`No query of an export was seen: nothing can be said of its end`)
  const gone = performance.now()
  abort.abort()
  let last = gone
  while (performance.now() - gone < WATCH_ABORT_MS) {
    if (await isAtWork(client, pattern)) last = performance.now()
    await sleep(5)
  }
  return toRow({ what: 'queries of an export after its client has gone', product: last - gone, limit: 1_000 })
}

/** Returns whether a matching query runs now or within `withinMs`. The view shows only the beginning of a query. */
async function isAtWork(client: pg.Client, pattern: string, withinMs = 0): Promise<boolean> {
  const until = performance.now() + withinMs
  do {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like $1`,
      [pattern],
    )
    if (rowCount) return true
  } while (performance.now() < until)
  return false
}

async function request({ url, token }: RunningServer, path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${url}/api${path}`, {
    // Uncompressed, like the output of `COPY`: compression has its own cost.
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  return response
}

async function download(server: RunningServer, path: string): Promise<void> {
  const { body } = await request(server, path)
  await body?.pipeTo(new WritableStream())
}

/** Uses PostgreSQL's own client, because a JavaScript driver would spend longer on each row than the database. */
async function copy(databaseUrl: string): Promise<void> {
  const psql = spawn('psql', [databaseUrl, '-qc', `copy (${JOIN}) to stdout`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(psql, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`psql ended with ${code}`)
}

/** Requests one page after another until `meanwhile` is done, and returns their times in milliseconds. */
async function timePages(server: RunningServer, meanwhile: Promise<unknown>): Promise<number[]> {
  const progress = { isDone: false }
  const done = meanwhile.finally(() => {
    progress.isDone = true
  })
  const times: number[] = []
  while (!progress.isDone) {
    const started = performance.now()
    await ask(server, `${routes.bookings.list.path}?page=1&limit=10`)
    times.push(performance.now() - started)
    await sleep(PAUSE_MS)
  }
  await done
  return times
}

async function countBookings(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from bookings')
  return rows[0]?.count ?? 0
}

async function timeSeconds(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1_000
}

function readResidentBytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
