import { gzipSync } from 'node:zlib'
import { DAY } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { fillBookings } from '#server/testing/fill-day.ts'
import { measureOpenScreens } from './measure-open-screens.ts'
import { median, p95, timeEach } from './measure.ts'
import { type Portal, withPortal } from './portal-browser.ts'
import { type EngineReport, kilobytes, type Row, toRow } from './report.ts'
import { openLimit, type Seeded } from './seeded.ts'
import { startProduct } from './servers.ts'
import { ask, signIn } from './staff-requests.ts'

/** Later than the days of the bulk seed, so that every pod has the same number of bookings, and within the coming year. */
const BUSY_DAY = new Date(Date.now() + 100 * DAY).toISOString().slice(0, 10)
const BOOKINGS_EACH = 12
const REQUESTS = 1000
const WARM_UP = 30
const ROUNDS = 7
const CPU_SLOWDOWN = 4
const SCROLL_MS = 3_000

/**
 * Measures the schedule of a day of 500 pods among a million bookings: the request, the first paint, scrolling, and the
 * changes that open screens show.
 */
export async function measureSchedule(seeded: Seeded): Promise<EngineReport> {
  const database = await openLimit(seeded)
  const there = await database.db
    .selectFrom('bookings')
    .select('id')
    .where('booking_date', '=', BUSY_DAY)
    .where('start_time', '>=', new Date(BUSY_DAY))
    .limit(1)
    .executeTakeFirst()
  if (!there) await fillBookings(database.db, BUSY_DAY, BOOKINGS_EACH)
  await database.close()
  const server = await startProduct(seeded.settings)
  try {
    const rows = [
      ...(await measureCall(server.url)),
      ...(await withPortal(server.url, measureScreen)),
      ...(await measureOpenScreens(server, BUSY_DAY)),
    ]
    return { engine: `the schedule, ${seeded.name}`, version: seeded.version, rows }
  } finally {
    await server.stop()
  }
}

async function measureCall(url: string): Promise<Row[]> {
  const staff = await signIn(url)
  const path = `${routes.schedule.get.path}?date=${BUSY_DAY}`
  const { text } = await ask({ url, ...staff }, path)
  const { pods, bookings } = JSON.parse(text) as { pods: unknown[]; bookings: { pod: unknown[] } } // the endpoint's own schema
  await timeEach(WARM_UP, () => ask({ url, ...staff }, path))
  const slowest = p95(await timeEach(REQUESTS, () => ask({ url, ...staff }, path)))
  const day = `a day of ${pods.length} pods with ${bookings.pod.length} bookings`
  return [
    toRow({ what: `${day}, p95`, product: slowest, limit: 50 }),
    toRow({ what: `${day}, gzipped`, product: gzipSync(text).length, limit: 60_000, show: kilobytes }),
  ]
}

async function measureScreen(portal: Portal): Promise<Row[]> {
  const paints: number[] = []
  const frames: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const opened = await portal.openPage('/pods')
    const { page } = opened
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedule' })
    // As people do: the pointer is over the entry before it is pressed.
    await link.hover()
    await opened.settle()
    await link.click()
    await page.locator('[role=grid]').waitFor()
    await opened.settle()
    paints.push(await page.evaluate(goToBusyDay, BUSY_DAY))
    frames.push(await page.evaluate(scrollDown, SCROLL_MS))
    await opened.close()
  }
  const slowed = `CPU slowed down ${CPU_SLOWDOWN} ×`
  const perSecond = (frames: number) => `${frames.toFixed(0)} frames/s`
  return [
    toRow({ what: `first paint of the day, ${slowed}`, product: median(paints), limit: 500 }),
    toRow({ what: `scrolling through it, ${slowed}`, product: median(frames), limit: 50, aim: '≥ 1', show: perSecond }),
  ]
}

/**
 * Runs in the page. Returns the milliseconds from opening the day until its bookings are painted, including the
 * request.
 */
function goToBusyDay(day: string): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now()
    const observer = new MutationObserver(() => {
      if (!document.querySelector(`[data-booking*=" ${day} "]`)) return
      observer.disconnect()
      // Resolves after the frame that shows them.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
    })
    observer.observe(document.body, { childList: true, subtree: true, attributes: true })
    history.pushState({}, '', `/schedule?date=${day}`)
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
}

/** Runs in the page. Returns the frames per second while a wheel is turned continuously. */
function scrollDown(forMs: number): Promise<number> {
  const grid = document.querySelector('[role=grid]')
  return new Promise((resolve) => {
    const started = performance.now()
    let count = 0
    const frame = () => {
      count += 1
      grid?.scrollBy(0, 40)
      const passed = performance.now() - started
      if (passed < forMs) requestAnimationFrame(frame)
      else resolve((count / passed) * 1000)
    }
    requestAnimationFrame(frame)
  })
}
