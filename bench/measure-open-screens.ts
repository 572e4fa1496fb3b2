import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { panelEntities } from '#contract/audit-entities.ts'
import type { BookingPage } from '#contract/booking-actions.ts'
import { routes } from '#contract/routes.ts'
import { createPacedBatches } from '#web/lib/paced-batches.ts'
import { request } from './http-request.ts'
import { listenForChanges } from './measure-live.ts'
import { median, p95, timeEach } from './measure.ts'
import { type Row, toRow } from './report.ts'
import type { BenchServer } from './servers.ts'
import { ask, get, type Login, signIn } from './staff-requests.ts'

const SECONDS = 20
/** The pace of a colleague who turns pages. */
const PAGE_EVERY_MS = 100

/** How many of each screen are open, with what they request when they hear of a change of a booking. */
const screensOf = ({ staffId }: Login, day: string) => [
  { count: 20, paths: [`${routes.schedule.get.path}?date=${day}`] },
  {
    count: 20,
    paths: [
      routes.dashboard.today.path,
      ...Object.entries(panelEntities)
        .filter(([, entities]) => entities.includes('booking'))
        .map(([panel]) => `${routes.dashboard.get.path.replace(':userId', staffId)}?panel=${panel}`),
    ],
  },
  { count: 40, paths: [`${routes.bookings.list.path}?page=1&limit=10`] },
  { count: 10, paths: [`${routes.bookingActions.arrivals.path}?limit=200`] },
]

/** Measures open screens that show each change of a booking, one per second, and a colleague's pages beside them. */
export async function measureOpenScreens(server: BenchServer, day: string): Promise<Row[]> {
  const streams = new AbortController()
  setMaxListeners(0, streams.signal)
  const shown: number[] = []
  let changedAt = 0
  let screens = 0
  const { token } = await signIn(server.url)
  const turnPage = () => ask({ url: server.url, token }, `${routes.bookings.list.path}?page=7&limit=10`)
  try {
    for (const { count, paths } of screensOf(await signIn(server.url), day)) {
      screens += count
      for (let opened = 0; opened < count; opened += 1) {
        const login = await signIn(server.url)
        const update = createPacedBatches(async (changes: readonly number[]) => {
          try {
            await Promise.all(paths.map((path) => fetchAsBrowser(server.url, login.token, path)))
            shown.push(performance.now() - Math.min(...changes))
          } catch (error) {
            // The last updates may still run when the server is stopped.
            if (!streams.signal.aborted) throw error
          }
        })
        await listenForChanges(server, login.token, streams.signal, () => update([changedAt]))
      }
    }
    const change = await createChange(server.url, token)
    const until = performance.now() + SECONDS * 1000
    const changing = (async () => {
      while (performance.now() < until) {
        const next = pause(1000)
        changedAt = performance.now()
        await change(`At ${changedAt}`)
        await next
      }
    })()
    const pages: number[] = []
    while (performance.now() < until) {
      pages.push(...(await timeEach(1, turnPage)))
      await pause(PAGE_EVERY_MS)
    }
    await changing
    const what = `a change per second on ${screens} open screens`
    return [
      toRow({ what: `${what}, until one shows it, median`, product: median(shown), limit: 1000 }),
      toRow({ what: `${what}, until one shows it, p95`, product: p95(shown), limit: 1000 }),
      toRow({ what: 'a page of bookings beside them, p95', product: p95(pages), limit: 500 }),
    ]
  } finally {
    streams.abort()
  }
}

/** Returns a function that changes the note of a booking. */
async function createChange(url: string, token: string) {
  const [{ _id: id } = { _id: '' }] = (await get({ url, token }, `${routes.bookings.list.path}?page=1&limit=1`)) as {
    _id: string
  }[] // by the contract
  const path = `${url}/api${routes.bookingActions.note.path.replace(':id', id)}`
  let { version } = (await get({ url, token }, routes.bookingActions.get.path.replace(':id', id))) as BookingPage // by the contract
  return async (note: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { status, text } = await request(path, { method: 'POST', headers, body: JSON.stringify({ note, version }) })
    if (status !== 200) throw new Error(`A note was answered with ${status}: ${text}`)
    version = (JSON.parse(text) as BookingPage).version // by the contract
  }
}

async function fetchAsBrowser(url: string, token: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const { status } = await request(`${url}/api${path}`, { headers })
  if (status !== 200) throw new Error(`${path} was answered with ${status}`)
}
