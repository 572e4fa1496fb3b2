import { chromium } from '@playwright/test'
import type { FirstStaff } from '#server/start/first-staff.ts'

export type PortalLoad = { requests: number; scriptAndStyleBytes: number; allBytes: number }

/**
 * Measures what is transferred, compressed, from opening the login screen with an empty cache until the first screen is
 * usable.
 */
export async function measurePortalLoad(url: string, staff: FirstStaff): Promise<PortalLoad> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    // Keeps the page from opening the live stream, during which the network would never be idle: it behaves like a tab
    // beside one that reads the stream.
    await page.addInitScript(() => void navigator.locks.request('podkeeper-live', () => new Promise(() => undefined)))
    const load: PortalLoad = { requests: 0, scriptAndStyleBytes: 0, allBytes: 0 }
    const sizes: Promise<void>[] = []
    page.on('requestfinished', (request) => {
      load.requests += 1
      sizes.push(
        request.sizes().then(({ responseBodySize }) => {
          load.allBytes += responseBodySize
          if (['script', 'stylesheet'].includes(request.resourceType())) load.scriptAndStyleBytes += responseBodySize
        }),
      )
    })
    await page.goto(`${url}/login`)
    await page.getByLabel('Email Address').fill(staff.email)
    await page.getByLabel('Password', { exact: true }).fill(staff.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((address) => address.pathname !== '/login')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await Promise.all(sizes)
    return load
  } finally {
    await browser.close()
  }
}
