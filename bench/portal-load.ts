import { launchBrowser, withoutLiveStream } from './portal-browser.ts'
import { kilobytes, type Row, toRow } from './report.ts'
import { STAFF } from './staff-requests.ts'

/**
 * Measures what is transferred, compressed, from opening the login screen with an empty cache until the first screen is
 * usable.
 */
export async function measurePortalLoad(url: string): Promise<Row> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.addInitScript(withoutLiveStream)
    let requests = 0
    let allBytes = 0
    let scriptAndStyleBytes = 0
    const sizes: Promise<void>[] = []
    page.on('requestfinished', (request) => {
      requests += 1
      sizes.push(
        request.sizes().then(({ responseBodySize }) => {
          allBytes += responseBodySize
          if (['script', 'stylesheet'].includes(request.resourceType())) scriptAndStyleBytes += responseBodySize
        }),
      )
    })
    await page.goto(`${url}/login`)
    await page.getByLabel('Email Address').fill(STAFF.email)
    await page.getByLabel('Password', { exact: true }).fill(STAFF.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((address) => address.pathname !== '/login')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await Promise.all(sizes)
    return toRow({
      what: `portal: compressed JS and CSS from the login until the first screen is usable (${requests} requests, ${kilobytes(allBytes)} in all)`,
      product: scriptAndStyleBytes,
      limit: 180_000,
      show: kilobytes,
    })
  } finally {
    await browser.close()
  }
}
