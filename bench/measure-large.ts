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
import { measureCrowd } from './measure-crowd.ts'
import { measureExports } from './measure-exports.ts'
import { measureLists, type Samples } from './measure-lists.ts'
import { measureLoad } from './measure-load.ts'
import { alternate, measureThroughput, median, timeEach } from './measure.ts'
import { type RecordedStatement, recordStatements } from './record-statements.ts'
import { type EngineReport, measureRequest, perSecond, type Row, toRow } from './report.ts'
import { NOTHING_MORE, openLimit, type Seeded, seed } from './seeded.ts'
import { startBareServer, startProduct } from './servers.ts'
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
  const product = await startProduct(seeded.settings)
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
    listBookings(recorded, BookingListQuery.parse({ page: '1', limit: '10' }), new Date()).readPage(),
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
  const rows = [
    toRow({
      what: 'first page of bookings with its total, over HTTP',
      ...beside,
      of: 'the page’s SQL alone, prepared',
      aim: '≤ 3',
    }),
    toRow({
      what: 'the same, beside SQL that is planned at each call',
      product: beside.product,
      limit: median(plain),
      of: 'the page’s SQL alone, not prepared',
      aim: '–',
    }),
    ...(await measurePageOverHttp(server, seeded, statements)),
    await measureAgainstSmall(server, seeded),
  ]
  for (const [what, number] of [
    ['page in the middle', Math.round(samples.bookingTotal / 20)],
    ['last page', Math.ceil(samples.bookingTotal / 10)],
  ] as const) {
    const deep = (n: number) => ask(server, FIRST_PAGE.replace('page=1', `page=${number - n}`))
    await timeEach(SHORT_WARM_UP, deep)
    const measured = await alternate(
      ROUNDS,
      async () => median(await timeEach(REQUESTS, deep)),
      async () => median(await timeEach(REQUESTS, first)),
    )
    const title = `${what} of bookings (${number.toLocaleString('en')})`
    rows.push(toRow({ what: title, ...measured, of: 'the first page', aim: '≤ 5' }))
  }
  return rows
}

/**
 * Measures the page beside plain node:http that runs the same statements: many requests at once, and one after another.
 */
async function measurePageOverHttp(server: Server, seeded: Seeded, statements: RecordedStatement[]): Promise<Row[]> {
  const body = await get(server, FIRST_PAGE)
  const bare = await startBareServer(seeded, [{ path: `/api${FIRST_PAGE}`, statements, body }])
  try {
    const headers = { authorization: `Bearer ${server.token}` }
    const many = await alternate(
      ROUNDS,
      () => measureThroughput(`${server.url}/api${FIRST_PAGE}`, headers),
      () => measureThroughput(`${bare.url}/api${FIRST_PAGE}`, {}),
    )
    const one = await alternate(
      ROUNDS,
      async () => median(await timeEach(REQUESTS, () => request(`${server.url}/api${FIRST_PAGE}`, { headers }))),
      async () => median(await timeEach(REQUESTS, () => request(`${bare.url}/api${FIRST_PAGE}`))),
    )
    const what = 'first page of bookings with its total'
    const of = 'bare node:http, the same SQL'
    return [
      toRow({ what: `${what}, one call after another`, ...one, of, aim: '–' }),
      toRow({ what: `${what}, 10 connections`, ...many, of, aim: '≥ 0.5', show: perSecond }),
    ]
  } finally {
    await bare.stop()
  }
}

/** Measures the page in turns with the same page on a new platform. */
async function measureAgainstSmall(server: Server, seeded: Seeded): Promise<Row> {
  const small = await seed(NOTHING_MORE, seeded.serverUrl)
  try {
    const other = await startProduct(small.settings)
    try {
      const smallServer = { ...other, ...(await signIn(other.url)) }
      await timeEach(WARM_UP, () => ask(smallServer, FIRST_PAGE))
      const measured = await alternate(
        SHORT_ROUNDS,
        async () => median(await timeEach(SHORT_REQUESTS, () => ask(server, FIRST_PAGE))),
        async () => median(await timeEach(SHORT_REQUESTS, () => ask(smallServer, FIRST_PAGE))),
      )
      const what = 'first page of bookings, many against few'
      return toRow({ what, ...measured, of: 'of the demo data alone', aim: '≤ 1.3' })
    } finally {
      await other.stop()
    }
  } finally {
    await small.remove()
  }
}

function measureDashboard(server: Server): Promise<Row> {
  const path = routes.dashboard.get.path.replace(':userId', server.staffId)
  const counts = { warmUp: SHORT_WARM_UP, requests: DASHBOARD_REQUESTS }
  return measureRequest('dashboard', 50, counts, () => ask(server, path))
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
  const of = 'its SQL alone, prepared'
  return [
    toRow({ what: 'availability of a pod and day, over HTTP', product, limit, of, aim: '–' }),
    toRow({
      what: 'the same, beside SQL that is planned at each call',
      product,
      limit: median(plain),
      of: 'its SQL alone, not prepared',
      aim: '–',
    }),
    toRow({
      what: 'availability of a pod and day, without HTTP and session',
      product: median(services),
      limit,
      of,
      aim: '≤ 1.5',
    }),
  ]
}

/** Measures the time from start to ready, with an existing database and a finished build. */
async function measureColdStart({ settings }: Seeded): Promise<Row> {
  const cold = { ...settings, DATA_DIR: join(settings.DATA_DIR, 'cold') }
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const server = await startProduct(cold)
    times.push(performance.now() - started)
    await server.stop()
  }
  return toRow({ what: 'cold start until ready', product: median(times), limit: 3_000 })
}
