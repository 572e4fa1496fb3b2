import { routes } from '#contract/routes.ts'
import { createHours } from './hours.ts'
import { bookOverHttp } from './measure-bookings.ts'
import { at, type Samples } from './measure-lists.ts'
import { type EngineReport, measureRequest, type Row } from './report.ts'
import type { Seeded } from './seeded.ts'
import { startProduct } from './servers.ts'
import { ask, get, readSamples, type SignedServer, signIn } from './staff-requests.ts'

type Path = { what: string; limitMs: number; path: (n: number) => string }
type Change = { _id: string; entity: string; entityId: string; actor: { _id: string | null; kind: string } }

/** Measures the most frequent requests. It runs on databases of different sizes, and gives the same table for each. */
export async function measureGrowth(seeded: Seeded, changes: number): Promise<EngineReport> {
  const product = await startProduct(seeded.settings)
  try {
    const server = { ...product, ...(await signIn(product.url)) }
    const samples = await readSamples(server)
    const rows: Row[] = []
    const add = async (what: string, limitMs: number, request: (n: number) => Promise<unknown>) => {
      const row = await measureRequest(what, limitMs, { warmUp: 60, requests: 100 }, request)
      process.stdout.write(`  ${what}: ${row.reached}\n`)
      rows.push(row)
    }
    for (const { what, limitMs, path } of [...toLists(samples), ...(await toHistory(server))]) {
      await add(what, limitMs, (n) => ask(server, path(n)))
    }
    const free = createHours(
      samples.pods.map(({ id }) => id),
      40_000,
    )
    await add('booking creation', 100, () => bookOverHttp(server, free()))
    const name = `${seeded.name} and ${changes.toLocaleString('en')} changes in five years`
    return { engine: name, version: seeded.version, rows }
  } finally {
    await product.stop()
  }
}

function toLists({ bookingTotal, pods, users, locations, names, bookings, from, to }: Samples): Path[] {
  const list = (what: string, toQuery: (n: number) => string): Path => ({
    what,
    limitMs: 100,
    path: (n) => `${routes.bookings.list.path}?limit=10&${toQuery(n)}`,
  })
  const pages = Math.ceil(bookingTotal / 10)
  return [
    { ...list('bookings, the first page', () => 'page=1'), limitMs: 50 },
    list('bookings, a page in the middle', (n) => `page=${Math.round(pages / 2) - n}`),
    list('bookings, the last page', (n) => `page=${pages - n}`),
    list('bookings of a customer', (n) => `page=1&user=${at(users, n)}`),
    list('bookings of a pod', (n) => `page=1&pod=${at(pods, n).id}`),
    list('bookings of a location', (n) => `page=1&location=${at(locations, n).id}`),
    list('bookings of a month', () => `page=1&from=${from}&to=${to}`),
    list('bookings by a customer’s whole name', (n) => `page=1&search=${encodeURIComponent(at(names, n))}`),
    {
      what: 'one booking',
      limitMs: 50,
      path: (n) => routes.bookings.get.path.replace(':id', at(bookings, n)),
    },
    {
      what: 'availability of a pod and day',
      limitMs: 50,
      path: (n) => `${routes.bookings.availability.path.replace(':podId', at(pods, n).id)}?booking_date=${to}`,
    },
  ]
}

/** Returns requests for the history of people, records and days, which are picked from both new and old changes. */
async function toHistory(server: SignedServer): Promise<Path[]> {
  const { list, history } = routes.audit
  const days = Array.from({ length: 5 }, (_, year) => new Date(Date.now() - (30 + year * 365) * 86_400_000))
  const toDay = (date: Date) => date.toISOString().slice(0, 10)
  const found = await Promise.all(
    days.map((date) => get(server, `${list.path}?page=1&limit=100&to=${toDay(date)}`) as Promise<Change[]>), // by the contract
  )
  const changes = found.flat()
  const records = changes.filter(({ entity }) => entity === 'booking')
  const pods = changes.filter(({ entity }) => entity === 'pod')
  const people = changes.flatMap(({ actor }) => (actor.kind === 'staff' && actor._id ? [actor._id] : []))
  const activity = (what: string, toQuery: (n: number) => string): Path => ({
    what: `activity${what}`,
    limitMs: 50,
    path: (n) => `${list.path}?page=1&limit=10&${toQuery(n)}`,
  })
  const ofRecord = (what: string, of: Change[]): Path => ({
    what: `history of ${what}`,
    limitMs: 50,
    path: (n) => `${history.path}?entity=${at(of, n).entity}&id=${at(of, n).entityId}&limit=10`,
  })
  const kind = (n: number) => at(['booking', 'pod', 'customer', 'transaction'], n)
  return [
    activity(', newest first', () => ''),
    activity(', oldest first', () => 'sort=at'),
    activity(' of a person', (n) => `actor=${at(people, n)}`),
    activity(' of a person and a kind', (n) => `actor=${at(people, n)}&entity=${kind(n)}`),
    activity(' of a kind', (n) => `entity=${kind(n)}`),
    activity(' of an action that is rare', () => 'action=restore'),
    activity(' of a kind and an action that never was', () => 'entity=webhook&action=block'),
    activity(
      ' of a month',
      (n) => `from=${toDay(at(days, n))}&to=${toDay(new Date(at(days, n).getTime() + 30 * 86_400_000))}`,
    ),
    ofRecord('a booking', records),
    ofRecord('a pod, with changes in every month', pods),
  ]
}
