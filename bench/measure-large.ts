import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BookingListQuery } from '#contract/bookings.ts'
import { routes } from '#contract/routes.ts'
import { parseConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import type { DatabaseHandle } from '#server/db/client.ts'
import { explainDay } from '#server/modules/availability/availability.ts'
import { listBookings } from '#server/modules/bookings/bookings.repository.ts'
import { getAvailability } from '#server/modules/bookings/bookings.service.ts'
import { request } from './http-request.ts'
import { alternate, measureThroughput, median, p95, timeEach } from './measure.ts'
import { measureCrowd } from './measure-crowd.ts'
import { measureExports } from './measure-exports.ts'
import { measureLists, type Samples } from './measure-lists.ts'
import { measureLoad } from './measure-load.ts'
import { recordStatements } from './record-statements.ts'
import { type EngineReport, milliseconds, perSecond, type Row } from './report.ts'
import { NOTHING_MORE, openLimit, type Seeded, seed } from './seeded.ts'
import { startServer } from './servers.ts'
import { ask, get, readSamples, signIn } from './staff-requests.ts'

const ROUNDS = 5
const REQUESTS = 40
/** Many short rounds, for comparing two that are nearly alike: a slow second of the machine then affects both. */
const SHORT_ROUNDS = 61
const SHORT_REQUESTS = 5
/** Enough that a single pause of the machine does not become the p95. */
const DASHBOARD_REQUESTS = 100
/** After so many requests the server's code has been compiled, as in a server that has run for hours. */
const WARM_UP = 2_000
/** The same for slower requests, and for requests of different pages. */
const SHORT_WARM_UP = 150

/** Measures everything that grows with the number of bookings, on a database with many of them. */
export async function measureLarge(seeded: Seeded): Promise<EngineReport> {
  const product = await startServer('server/main.js', '/readyz', seeded.settings)
  try {
    const staff = await signIn(product.url)
    const server = { ...product, ...staff }
    const database = await openLimit(seeded)
    try {
      const samples = await readSamples(server)
      const rows: Row[] = []
      const add = (measured: Row[]) => {
        for (const row of measured) process.stdout.write(`  ${row.what}: ${row.reached}, ${row.limit}\n`)
        rows.push(...measured)
      }
      process.stdout.write(`\n${seeded.name}\n`)
      add(await measurePages(server, seeded, database, samples))
      add(await measureLists(server, samples))
      add([await measureDashboard(server), ...(await measureAvailability(server, seeded, database, samples))])
      if (seeded.databaseUrl) {
        add(await measureCrowd(server, database))
        add(await measureExports({ ...server, databaseUrl: seeded.databaseUrl }))
        add(await measureLoad(server, samples))
      } else add([await measureColdStart(seeded)])
      return { engine: seeded.name, version: seeded.version, rows }
    } finally {
      await database.close()
    }
  } finally {
    await product.stop()
  }
}

type Server = { url: string; token: string; staffId: string }

const FIRST_PAGE = `${routes.bookings.list.path}?page=1&limit=10`

async function measurePages(
  server: Server,
  seeded: Seeded,
  { pool }: DatabaseHandle,
  samples: Samples,
): Promise<Row[]> {
  const statements = await recordStatements(pool, (recorded) =>
    listBookings(recorded, BookingListQuery.parse({ page: '1', limit: '10' })),
  )
  const page = statements.find(({ text }) => text.includes('limit 10'))
  if (!page) throw new Error('The list of bookings has no page')
  const runPage = () => pool.query(page)
  // The same query without a prepared statement, which the database plans each time.
  const { name: _, ...unprepared } = page
  const plain: number[] = []
  const first = () => ask(server, FIRST_PAGE)
  await timeEach(WARM_UP, first)
  const beside = await alternate(
    ROUNDS,
    async () => median(await timeEach(REQUESTS, first)),
    async () => {
      plain.push(median(await timeEach(REQUESTS, () => pool.query(unprepared))))
      return median(await timeEach(REQUESTS, runPage))
    },
  )
  const planned = median(plain)
  const rows: Row[] = [
    {
      what: 'first page of bookings with its total, over HTTP',
      reached: milliseconds(beside.product),
      limit: `${milliseconds(beside.limit)} the page’s SQL alone, prepared`,
      ratio: beside.product / beside.limit,
      aim: '≤ 3',
    },
    {
      what: 'the same, beside SQL that is planned at each call',
      reached: milliseconds(beside.product),
      limit: `${milliseconds(planned)} the page’s SQL alone, not prepared`,
      ratio: beside.product / planned,
      aim: '–',
    },
    ...(await measurePageOverHttp(server, seeded, statements)),
    await measureAgainstSmall(server, seeded),
  ]
  for (const [what, number] of [
    ['page in the middle', Math.round(samples.bookingTotal / 20)],
    ['last page', Math.ceil(samples.bookingTotal / 10)],
  ] as const) {
    const deep = (n: number) => ask(server, FIRST_PAGE.replace('page=1', `page=${number - n}`))
    await timeEach(SHORT_WARM_UP, deep)
    const { product, limit } = await alternate(
      ROUNDS,
      async () => median(await timeEach(REQUESTS, deep)),
      async () => median(await timeEach(REQUESTS, first)),
    )
    rows.push({
      what: `${what} of bookings (${number.toLocaleString('en')})`,
      reached: milliseconds(product),
      limit: `${milliseconds(limit)} the first page`,
      ratio: product / limit,
      aim: '≤ 5',
    })
  }
  return rows
}

/**
 * Measures the page beside plain node:http that runs the same statements: many requests at once, and one after another.
 */
async function measurePageOverHttp(server: Server, seeded: Seeded, statements: object[]): Promise<Row[]> {
  const body = await get(server, FIRST_PAGE)
  const file = join(seeded.settings.DATA_DIR, 'bare-answers.json')
  await writeFile(file, JSON.stringify([{ path: `/api${FIRST_PAGE}`, statements, body }]))
  const bareDataDir = join(seeded.settings.DATA_DIR, 'bare-http')
  const bare = await startServer('bench/bare-server.js', '/', {
    BARE_ANSWERS: file,
    BARE_DATA_DIR: bareDataDir,
    DATABASE_URL: seeded.databaseUrl ?? '',
  })
  try {
    const { product, limit } = await alternate(
      ROUNDS,
      () => measureThroughput(`${server.url}/api${FIRST_PAGE}`, { authorization: `Bearer ${server.token}` }),
      () => measureThroughput(`${bare.url}/api${FIRST_PAGE}`, {}),
    )
    const headers = { authorization: `Bearer ${server.token}` }
    const one = await alternate(
      ROUNDS,
      async () => median(await timeEach(REQUESTS, () => request(`${server.url}/api${FIRST_PAGE}`, { headers }))),
      async () => median(await timeEach(REQUESTS, () => request(`${bare.url}/api${FIRST_PAGE}`))),
    )
    return [
      {
        what: 'first page of bookings with its total, one call after another',
        reached: milliseconds(one.product),
        limit: `${milliseconds(one.limit)} bare node:http, the same SQL`,
        ratio: one.product / one.limit,
        aim: '–',
      },
      {
        what: 'first page of bookings with its total, 10 connections',
        reached: perSecond(product),
        limit: `${perSecond(limit)} bare node:http, the same SQL`,
        ratio: product / limit,
        aim: '≥ 0.5',
      },
    ]
  } finally {
    await bare.stop()
  }
}

/** Measures the page in turns with the same page on a new platform. */
async function measureAgainstSmall(server: Server, seeded: Seeded): Promise<Row> {
  const small = await seed(NOTHING_MORE, seeded.serverUrl)
  try {
    const other = await startServer('server/main.js', '/readyz', small.settings)
    try {
      const smallServer = { ...other, ...(await signIn(other.url)) }
      await timeEach(WARM_UP, () => ask(smallServer, FIRST_PAGE))
      const { product, limit } = await alternate(
        SHORT_ROUNDS,
        async () => median(await timeEach(SHORT_REQUESTS, () => ask(server, FIRST_PAGE))),
        async () => median(await timeEach(SHORT_REQUESTS, () => ask(smallServer, FIRST_PAGE))),
      )
      return {
        what: 'first page of bookings, many against few',
        reached: milliseconds(product),
        limit: `${milliseconds(limit)} of the demo data alone`,
        ratio: product / limit,
        aim: '≤ 1.3',
      }
    } finally {
      await other.stop()
    }
  } finally {
    await small.remove()
  }
}

async function measureDashboard(server: Server): Promise<Row> {
  const path = routes.dashboard.get.path.replace(':userId', server.staffId)
  await timeEach(SHORT_WARM_UP, () => ask(server, path))
  const reached = p95(await timeEach(DASHBOARD_REQUESTS, () => ask(server, path)))
  return {
    what: 'dashboard',
    reached: `${milliseconds(reached)} p95`,
    limit: '50.00 ms',
    ratio: reached / 50,
    aim: '≤ 1',
  }
}

/** Measures availability over HTTP, and in the service without HTTP and session. */
async function measureAvailability(
  server: Server,
  seeded: Seeded,
  database: DatabaseHandle,
  { pods, to }: Samples,
): Promise<Row[]> {
  const podId = pods[0]?.id ?? ''
  const path = `${routes.bookings.availability.path.replace(':podId', podId)}?booking_date=${to}`
  const context = await createContext(parseConfig(seeded.settings), database)
  const inService = () => getAvailability(context, podId, to)
  const [statement] = await recordStatements(database.pool, (db) => explainDay(db, podId, to))
  if (!statement) throw new Error('Availability ran no statement')
  const inSql = () => database.pool.query(statement)
  const { name: _, ...unprepared } = statement
  await timeEach(WARM_UP, () => ask(server, path))
  await timeEach(WARM_UP, inService)
  const services: number[] = []
  const plain: number[] = []
  const { product, limit } = await alternate(
    ROUNDS,
    async () => median(await timeEach(REQUESTS, () => ask(server, path))),
    async () => {
      services.push(median(await timeEach(REQUESTS, inService)))
      plain.push(median(await timeEach(REQUESTS, () => database.pool.query(unprepared))))
      return median(await timeEach(REQUESTS, inSql))
    },
  )
  const service = median(services)
  const planned = median(plain)
  const beside = { limit: `${milliseconds(limit)} its SQL alone, prepared`, aim: '≤ 1.5' }
  return [
    {
      ...beside,
      what: 'availability of a pod and day, over HTTP',
      reached: milliseconds(product),
      ratio: product / limit,
      aim: '–',
    },
    {
      what: 'the same, beside SQL that is planned at each call',
      reached: milliseconds(product),
      limit: `${milliseconds(planned)} its SQL alone, not prepared`,
      ratio: product / planned,
      aim: '–',
    },
    {
      ...beside,
      what: 'availability of a pod and day, without HTTP and session',
      reached: milliseconds(service),
      ratio: service / limit,
    },
  ]
}

/** Measures the time from start to ready, with an existing database and a finished build. */
async function measureColdStart({ settings }: Seeded): Promise<Row> {
  const cold = { ...settings, DATA_DIR: join(settings.DATA_DIR, 'cold') }
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const server = await startServer('server/main.js', '/readyz', cold)
    times.push(performance.now() - started)
    await server.stop()
  }
  const reached = median(times)
  return {
    what: 'cold start until ready',
    reached: milliseconds(reached),
    limit: '3,000 ms',
    ratio: reached / 3_000,
    aim: '≤ 1',
  }
}
