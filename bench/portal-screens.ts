import type { Page } from '@playwright/test'
import type { Portal, PortalPage } from './portal-browser.ts'
import { kilobytes, type Row, toRow } from './report.ts'

/**
 * Measures how many compressed bytes each screen adds when it is opened from the dashboard. Each gets a browser of its
 * own, so that it does not profit from what another one has loaded. A booking's code is opened from the list of
 * bookings.
 */
export async function measureScreens(portal: Portal): Promise<Row[]> {
  const added: { name: string; bytes: number }[] = []
  for (const name of await screensOfMenu(portal)) {
    const opened = await portal.openPage('/')
    added.push({ name, bytes: await measureStep(opened, () => openByMenu(opened, name)) })
    if (name === 'Booking') {
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

const menuLinks = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link')

/** Returns the names of the screens in the menu, without the dashboard. */
async function screensOfMenu(portal: Portal): Promise<string[]> {
  const { page, close } = await portal.openPage('/')
  const names = await menuLinks(page).allInnerTexts()
  await close()
  return names.slice(1)
}

async function openByMenu({ page }: PortalPage, name: string): Promise<void> {
  await menuLinks(page).getByText(name, { exact: true }).click()
  await page.waitForURL((address) => address.pathname !== '/')
}

async function openFirstCode({ page }: PortalPage): Promise<void> {
  await page
    .getByRole('button', { name: /^QR code/ })
    .first()
    .click()
  await page.getByRole('article').waitFor()
}
