import { median } from './measure.ts'
import type { Portal } from './portal-browser.ts'
import { type Row, toRow } from './report.ts'

const ROUNDS = 9
const MOST_WARM_MS = 600
const MOST_COLD_MS = 1_000

/**
 * Measures the time from the start of a reload of Bookings until its rows are painted, with a full and with an empty
 * browser cache.
 */
export async function measureReloads(portal: Portal): Promise<Row[]> {
  const warm: number[] = []
  const cold: number[] = []
  const kept = await portal.openPage('/booking')
  await kept.page.addInitScript(watchForRows)
  let requests = 0
  for (let round = 0; round <= ROUNDS; round++) {
    await kept.takeLoaded()
    await kept.page.reload({ waitUntil: 'commit' })
    const again = await kept.page.evaluate(() => globalThis.rowsPainted)
    await kept.settle()
    requests = (await kept.takeLoaded()).length
    const opened = await portal.openPage('/booking', watchForRows)
    // The first round is a warm-up: the browser keeps compiled code from the second load on.
    if (round > 0) {
      warm.push(again)
      cold.push(await opened.page.evaluate(() => globalThis.rowsPainted))
    }
    await opened.close()
  }
  await kept.close()
  const what = 'portal: reload of Bookings until its rows are painted'
  return [
    toRow({
      what: `${what}, everything in the browser’s cache, ${requests} requests`,
      product: median(warm),
      limit: MOST_WARM_MS,
    }),
    toRow({ what: `${what}, an empty cache`, product: median(cold), limit: MOST_COLD_MS }),
  ]
}

declare global {
  var rowsPainted: Promise<number>
}

/** Runs in the page before its own scripts. */
function watchForRows(): void {
  globalThis.rowsPainted = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('main tbody tr:not([aria-hidden])') === null) return requestAnimationFrame(look)
      // Found before this frame is painted; by the next frame it has been.
      return requestAnimationFrame(() => resolve(performance.now()))
    }
    requestAnimationFrame(look)
  })
}
