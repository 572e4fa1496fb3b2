import autocannon from 'autocannon'
import { routes } from '#contract/routes.ts'
import type { DatabaseHandle } from '#server/db/client.ts'
import { createHours, type Hour, toBookingRequest } from './hours.ts'
import { bookOverHttp, createBareBooking } from './measure-bookings.ts'
import { alternate } from './measure.ts'
import { perSecond, type Row, toRow } from './report.ts'
import { get, type SignedServer } from './staff-requests.ts'

const ROUNDS = 5
const SECONDS = 5
const CLIENTS = 32
const CONTENDERS = 8

type Pod = { _id: string; location: { isBlocked: boolean } }

/**
 * Measures many clients that book at the same time, beside the bare transaction with as many clients, and while others
 * contend for one pod.
 */
export async function measureCrowd(server: SignedServer, database: DatabaseHandle): Promise<Row[]> {
  const pods = (await get(server, `${routes.pods.list.path}?page=1&limit=100&status=active`)) as Pod[] // by the contract
  const podIds = pods.filter(({ location }) => !location.isBlocked).map(({ _id }) => _id)
  const overHttp = createHours(podIds, 0)
  const inSql = createHours(podIds, 40_000)
  const bookBare = await createBareBooking(database, podIds[0] ?? '', server.staffId)
  const alone = await alternate(
    ROUNDS,
    () => book(server, CLIENTS, overHttp),
    () => countInParallel(CLIENTS, () => bookBare(inSql())),
  )
  const hot = createHours(podIds.slice(0, 1), 80_000)()
  const cold = podIds.slice(1, 1 + CONTENDERS).map((podId) => createHours([podId], 80_000)())
  for (const hour of [hot, ...cold]) await bookOverHttp(server, hour)
  let next = 0
  const beside = await alternate(
    ROUNDS,
    async () => (await Promise.all([book(server, CLIENTS, overHttp), contend(server, () => hot)]))[0],
    async () =>
      (
        await Promise.all([book(server, CLIENTS, overHttp), contend(server, () => cold[next++ % cold.length] ?? hot)])
      )[0],
  )
  return [
    toRow({
      what: `booking creation, ${CLIENTS} clients on ${podIds.length} pods`,
      ...alone,
      of: `its SQL transaction, ${CLIENTS} clients`,
      aim: '≥ 0.5',
      show: perSecond,
    }),
    toRow({
      what: `the same while ${CONTENDERS} more want one slot`,
      ...beside,
      of: 'while they want a slot each',
      aim: '≥ 0.9',
      show: perSecond,
    }),
  ]
}

/** Returns the bookings per second. Any response but a created booking fails the benchmark. */
async function book(server: SignedServer, clients: number, nextHour: () => Hour): Promise<number> {
  const result = await run(server, clients, nextHour)
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} bookings were refused, ${result.errors} failed`)
  return result.requests.total / SECONDS
}

/** Runs clients whose bookings are all refused, because the slot is taken. */
async function contend(server: SignedServer, nextHour: () => Hour): Promise<void> {
  const { statusCodeStats, errors } = await run(server, CONTENDERS, nextHour)
  const others = Object.keys(statusCodeStats).filter((status) => status !== '409')
  if (others.length + errors > 0) throw new Error(`A taken slot was answered with ${others.join(', ')}`)
}

function run({ url, token }: SignedServer, connections: number, nextHour: () => Hour) {
  return autocannon({
    url,
    connections,
    duration: SECONDS,
    requests: [
      {
        setupRequest: (request) => ({ ...request, ...toBookingRequest(token, nextHour()) }),
      },
    ],
  })
}

/** Returns how often per second `clients` parallel clients complete the work. */
async function countInParallel(clients: number, work: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let done = 0
  const client = async () => {
    while (performance.now() < until) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done / SECONDS
}
