import { PAGE, pages } from '#contract/pages.ts'
import type { Portal, PortalPage } from './portal-browser.ts'
import { kilobytes, type Row, toRow } from './report.ts'

/**
 * Measures how many compressed bytes each screen adds when it is opened from the dashboard. Each gets a browser of its
 * own, so that it does not profit from what another one has loaded. A booking's code is opened from the list of
 * bookings.
 */
export async function measureScreens(portal: Portal): Promise<Row[]> {
  const added: { name: string; bytes: number }[] = []
  for (const { id, name } of pages.filter((page) => page.id !== PAGE.dashboard)) {
    const opened = await portal.openPage('/')
    added.push({ name, bytes: await measureStep(opened, () => openByMenu(opened, name)) })
    if (id === PAGE.bookings) {
      added.push({ name: 'a booking’s code', bytes: await measureStep(opened, () => openFirstCode(opened)) })
    }
    await opened.close()
  }
  const most = added.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { name: 'none', bytes: 0 }
  process.stdout.write(`${added.map(({ name, bytes }) => `  ${name}: ${kilobytes(bytes)}`).join('\n')}\n`)
  return [
    toRow({
      what: `portal: compressed JS and CSS that a further screen adds, ${added.length} screens, the largest: ${most.name}`,
      product: most.bytes,
      limit: 60_000,
      show: kilobytes,
    }),
  ]
}

async function measureStep({ settle, takeLoaded }: PortalPage, go: () => Promise<void>): Promise<number> {
  await takeLoaded()
  await go()
  await settle()
  const parts = (await takeLoaded()).filter(({ kind }) => kind === 'script' || kind === 'stylesheet')
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function openByMenu({ page }: PortalPage, name: string): Promise<void> {
  const path = pages.find((one) => one.name === name)?.path ?? '/'
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  await page.waitForURL((address) => address.pathname === path)
}

async function openFirstCode({ page }: PortalPage): Promise<void> {
  await page
    .getByRole('button', { name: /^QR code/ })
    .first()
    .click()
  await page.getByRole('article').waitFor()
}
