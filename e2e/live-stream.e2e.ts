import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { buildLocation, buildPod } from '#server/testing/factories.ts'
import { findFreePort, startServerProcess, waitUntilReady } from '#server/testing/server-process.ts'
import { DOWN } from './failures.ts'
import { expect, expectConsoleErrors, expectNoSidewaysScroll, test } from './fixtures.ts'
import { asColleague, openList, rowsOf, whenListening } from './live-changes.ts'

test.describe('The live stream', () => {
  test('is shared by all tabs of a browser, and another tab takes over when its tab closes', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    const staff = await signIn()
    const colleague = asColleague(server, staff)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const streams: Page[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/live') streams.push(request.frame().page())
    })
    await openList(page, '/pods')
    const second = await context.newPage()
    await second.goto('/pods')
    const rowIn = (tab: Page) => rowsOf(tab, 'Pods').filter({ hasText: 'Aurora' })
    await expect(rowIn(second)).toContainText('active')
    await colleague('PUT', `/product/block-pods/${pod.id}`)
    for (const tab of [page, second]) await expect(rowIn(tab)).toContainText('Inactive')
    expect(streams).toEqual([page])

    const taken = whenListening(second)
    await page.close()
    await taken
    await colleague('PUT', `/product/unblock-pods/${pod.id}`)
    await expect(rowIn(second)).not.toContainText('Inactive')
    expect(streams).toEqual([page, second])
  })

  test('is read by another tab while the browser has frozen the one that reads it, which catches up later', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    const colleague = asColleague(server, await signIn())
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await openList(page, '/pods')
    const second = await context.newPage()
    await second.goto('/pods')
    const rowOf = (tab: Page) => rowsOf(tab, 'Pods').filter({ hasText: 'Aurora' })
    await expect(rowOf(second)).toContainText('active')
    // A headless browser freezes nothing: the event is sent by hand, and then nothing else runs in the tab for a while.
    let isFrozen = true
    const frozen = page.evaluate(async () => {
      document.dispatchEvent(new Event('freeze'))
      for (let i = 0; i < 100; i += 1) await Promise.resolve()
      const until = performance.now() + 5_000
      while (performance.now() < until);
    })
    void frozen.then(() => (isFrozen = false))
    await whenListening(second)
    await colleague('PUT', `/product/block-pods/${pod.id}`)
    await expect(rowOf(second)).toContainText('Inactive')
    expect(isFrozen).toBe(true)
    await frozen
    await expect(rowOf(page)).toContainText('active')
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    await expect(rowOf(page)).toContainText('Inactive')
    await colleague('PUT', `/product/unblock-pods/${pod.id}`)
    await expect(rowOf(page)).toContainText('active')
  })

  test('is read by each tab on its own where the browser refuses to let tabs share it', async ({
    page,
    server,
    signIn,
  }) => {
    const colleague = asColleague(server, await signIn())
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const row = rowsOf(page, 'Pods').filter({ hasText: 'Aurora' })
    // What browsers do while they block cookies: some refuse the locks, others the channel as well.
    await page.addInitScript(() => {
      const refused = () => new DOMException('The operation is insecure.', 'SecurityError')
      navigator.locks.request = () => Promise.reject(refused())
      if (location.hash !== '#channel') return
      const channel = () => {
        throw refused()
      }
      // A constructor that throws.
      Object.defineProperty(window, 'BroadcastChannel', { value: new Proxy(BroadcastChannel, { construct: channel }) })
    })
    await openList(page, '/pods')
    await expect(row).toContainText('active')
    await colleague('PUT', `/product/block-pods/${pod.id}`)
    await expect(row).toContainText('Inactive')
    await page.goto('/pods#channel')
    await Promise.all([whenListening(page), page.reload()])
    await colleague('PUT', `/product/unblock-pods/${pod.id}`)
    await expect(row).toContainText('active')
  })

  test('shows a banner while offline, then resumes and catches up on missed changes', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
    const colleague = asColleague(server, await signIn())
    const location = await buildLocation(server.db, { name: 'Dock House' })
    await openList(page, '/location')
    const card = page.getByRole('listitem').filter({ hasText: 'Dock House' })
    await page.getByRole('button', { name: 'Edit Dock House' }).click()
    const street = page.getByRole('dialog', { name: 'Edit Location' }).getByLabel('Street')
    await street.fill('21 Dock Road')

    await context.setOffline(true)
    const banner = page.getByText('You are offline.')
    await expect(banner).toBeVisible()
    await colleague('PUT', `/location/block-Location/${location.id}`)
    await expect(street).toHaveValue('21 Dock Road')
    await expect(card).toContainText('Dock House')
    await expectNoSidewaysScroll(page)

    await context.setOffline(false)
    await expect(banner).toHaveCount(0)
    await expect(card).toContainText('Inactive')
    await expect(street).toHaveValue('21 Dock Road')
  })
})

test('A screen that is not loaded yet leaves the portal in place while offline, and is loaded on Retry', async ({
  page,
  context,
  signIn,
}) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/, /dynamically imported module/, /could not be loaded/)
  await signIn([6])
  await openList(page, '/arrivals')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Booking', exact: true }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'This screen could not be shown' })
  await expect(failure).toBeVisible()
  await expect(page.getByText('You are offline.')).toBeVisible()
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('alert').filter({ hasText: DOWN })).toBeVisible()
  await context.setOffline(false)
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('All Bookings (0)')).toBeVisible()
})

test('a browser catches up by itself after the server is killed and restarted', async ({ page }) => {
  test.slow()
  expectConsoleErrors(/ERR_|Failed to load/)
  const dataDir = await mkdtemp(join(tmpdir(), 'podkeeper-e2e-restart-'))
  const person = { email: 'thandi@example.com', password: 'harbour lamp 2026 x' }
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
  }
  const start = async () => {
    const started = startServerProcess(settings, pathToFileURL('dist/server/main.js'))
    await waitUntilReady(started)
    return started
  }
  await cp(String(process.env.E2E_DATABASE_TEMPLATE), dataDir, { recursive: true })
  const first = await start()
  await page.goto(`${first.url}/login`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  const listening = whenListening(page)
  await page.getByRole('button', { name: 'Log in' }).click()
  await listening
  await page.getByRole('link', { name: 'Features', exact: true }).click()
  await expect(page.getByText('What pods offer')).toBeVisible()

  first.child.kill('SIGKILL')
  await first.ended
  const banner = page.getByText('There is no connection to the server.')
  await expect(banner).toBeVisible()

  const second = await start()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const body = { name: 'Wi-Fi', icon: 'wifi' }
  await asColleague(second, { token: String(token) })('POST', '/location/create-features', body)
  await expect(page.getByRole('row').filter({ hasText: 'Wi-Fi' })).toBeVisible({ timeout: 30_000 })
  await expect(banner).toHaveCount(0)
  second.child.kill('SIGTERM')
  await second.ended
  await rm(dataDir, { recursive: true, force: true })
})
