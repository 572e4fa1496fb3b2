import autocannon from 'autocannon'
import { routes } from '#contract/routes.ts'
import { createHours, toBookingRequest } from './hours.ts'
import type { Samples } from './measure-lists.ts'
import { milliseconds, type Row, toRow } from './report.ts'
import type { SignedServer } from './staff-requests.ts'

const CONNECTIONS = 200
const SECONDS = 60
const LOOK_EVERY_MS = 500

/**
 * Runs a minute of staff's usual requests in parallel, and records the state of the event loop and the database that
 * the server reports meanwhile.
 */
export async function measureLoad(server: SignedServer, samples: Samples): Promise<Row[]> {
  let loopDelay = 0
  let waiting = 0
  let unready = 0
  const look = setInterval(() => {
    void readLoad(server.url).then((load) => {
      if (!load) unready += 1
      loopDelay = Math.max(loopDelay, load?.eventLoopDelayMs ?? 0)
      waiting = Math.max(waiting, load?.database.waiting ?? 0)
    })
  }, LOOK_EVERY_MS)
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: SECONDS,
    timeout: 30,
    requests: toWork(server, samples),
  })
  clearInterval(look)
  const failed = result.non2xx + result.errors + result.timeouts + unready
  const refused = Object.entries(result.statusCodeStats).filter(([status]) => !status.startsWith('2'))
  return [
    {
      what: `${CONNECTIONS} connections of mixed staff work for ${SECONDS} s: calls that failed`,
      reached: `${failed} of ${result.requests.total.toLocaleString('en')}${refused.map(([status, { count }]) => `, ${count} × ${status}`).join('')}`,
      limit: '0',
      ratio: failed / Math.max(result.requests.total, 1),
      aim: '0',
    },
    toRow({
      what: `the same: ${Math.round(result.requests.average)} calls/s, p50 ${result.latency.p50} ms, p99`,
      product: result.latency.p99,
      limit: 1_000,
    }),
    {
      what: `the same: most that the event loop was late on five seconds’ average; most queries that waited at once: ${waiting}`,
      reached: milliseconds(loopDelay),
      limit: '–',
      ratio: Number.NaN,
      aim: 'reported',
    },
  ]
}

type Load = { eventLoopDelayMs: number; database: { waiting: number } }

/** Returns undefined while the server reports that it is not ready. */
async function readLoad(url: string): Promise<Load | undefined> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  return response?.ok === true ? ((await response.json()) as Load) : undefined // as health.ts answers
}

/**
 * Returns the requests that each connection sends one after another: lists, searches, a pod's day, and now and then a
 * booking.
 */
function toWork({ token, staffId }: SignedServer, samples: Samples) {
  const headers = { authorization: `Bearer ${token}` }
  const { bookings, transactions, users, pods, locations, dashboard, search } = routes
  const nextHour = createHours(
    samples.pods.map(({ id }) => id),
    120_000,
  )
  const [pod] = samples.pods
  const [name = ''] = samples.names
  const paths = [
    `${dashboard.get.path.replace(':userId', staffId)}?panel=bookings`,
    `${bookings.list.path}?page=1&limit=10`,
    `${bookings.list.path}?page=7&limit=10&status=Confirmed`,
    `${bookings.list.path}?page=1&limit=10&search=${encodeURIComponent(name)}`,
    `${bookings.list.path}?page=1&limit=10&from=${samples.from}&to=${samples.to}`,
    `${transactions.list.path}?page=1&limit=6`,
    `${users.list.path}?page=1&limit=10`,
    `${users.list.path}?page=1&limit=10&search=${encodeURIComponent(name.slice(0, 4))}`,
    `${pods.list.path}?page=1&limit=10`,
    `${locations.list.path}?page=1&limit=10`,
    `${bookings.availability.path.replace(':podId', pod?.id ?? '')}?booking_date=${samples.to}`,
    `${search.find.path}?q=${encodeURIComponent(name.slice(0, 3))}`,
  ]
  return [
    ...paths.map((path) => ({ method: 'GET', path: `/api${path}`, headers })),
    { setupRequest: (request: object) => ({ ...request, ...toBookingRequest(token, nextHour()) }) },
  ]
}
