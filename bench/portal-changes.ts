import { PAGE, pages } from '#contract/pages.ts'
import { median } from './measure.ts'
import type { Portal, PortalPage } from './portal-browser.ts'
import { milliseconds, type Row, toRow } from './report.ts'

const ROUNDS = 9
const visited = [PAGE.bookings, PAGE.transactions, PAGE.users, PAGE.pods, PAGE.dashboard]

/**
 * Measures the time from a click in the menu until the other screen, which was visited before, is painted with its
 * rows. Covers every pair of five screens, both ways; medians.
 */
export async function measureChanges(portal: Portal): Promise<Row[]> {
  const opened = await portal.openPage('/')
  const names = visited.map((code) => pages.find(({ id }) => id === code)?.name ?? '')
  for (const name of names) await changeTo(opened, name)
  const walk = toWalk(names)
  const times = new Map<string, number[]>()
  await changeTo(opened, walk.at(-1) ?? '')
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, to] of walk.entries()) {
      const pair = `${walk.at(index - 1) ?? ''} → ${to}`
      times.set(pair, [...(times.get(pair) ?? []), await changeTo(opened, to)])
    }
  }
  await opened.close()
  const medians = [...times].map(([pair, all]) => ({ pair, time: median(all) }))
  const longest = medians.toSorted((a, b) => b.time - a.time)[0] ?? { pair: 'none', time: 0 }
  process.stdout.write(`${medians.map(({ pair, time }) => `  ${pair}: ${milliseconds(time)}`).join('\n')}\n`)
  return [
    toRow({
      what: `portal: from a click to a screen visited before, painted, the longest of ${medians.length}: ${longest.pair}`,
      product: longest.time,
      limit: 100,
    }),
  ]
}

/** Returns a tour that goes from each screen to every other exactly once: 0 1 0 2 0 3 … 1 2 1 3 … */
function toWalk(names: readonly string[]): string[] {
  return names.flatMap((from, index) => names.slice(index + 1).flatMap((to) => [from, to]))
}

/** Returns the milliseconds from the click to the frame after the one that shows the screen with its rows. */
async function changeTo({ page, settle }: PortalPage, name: string): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
  const path = pages.find((one) => one.name === name)?.path ?? '/'
  if (new URL(page.url()).pathname === path) return 0
  await link.hover()
  await settle()
  const watch = await page.evaluateHandle(watchForScreen, path)
  await page.mouse.down()
  await page.mouse.up()
  return watch.evaluate(({ painted }) => painted)
}

/** Runs in the page. The promise is returned inside an object, so that it is not awaited before the click. */
function watchForScreen(path: string): { painted: Promise<number> } {
  const painted = new Promise<number>((resolve) => {
    const main = document.querySelector('main')
    const before = main?.querySelector('h1')
    const isThere = () => {
      const heading = main?.querySelector('h1')
      return (
        location.pathname === path &&
        heading !== null &&
        heading !== before &&
        main?.querySelector('tbody tr:not([aria-hidden])') !== null
      )
    }
    window.addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          if (!isThere()) return requestAnimationFrame(look)
          // Found before this frame is painted; by the next frame it has been.
          return requestAnimationFrame(() => resolve(performance.now() - timeStamp))
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
  return { painted }
}
