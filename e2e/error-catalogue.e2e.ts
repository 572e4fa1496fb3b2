import type { Locator, Page } from '@playwright/test'
import { buildStaff } from '#server/testing/factories.ts'
import { wallTime } from './business-day.ts'
import { BUSY, buildOneOfEach, DOWN } from './failures.ts'
import { expect, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

const tableRows = (page: Page) => page.locator('table[aria-busy=true] tbody tr')

type List = {
  path: string
  /** URL pattern of the request that loads the list. */
  request: string
  /** The placeholders that are shown while it loads, and their number. */
  placeholder: (page: Page) => Locator
  count: number
  /** Text of the only record in the list. */
  text: string
}

/** Every screen that shows a list. */
const lists: readonly List[] = [
  {
    path: '/features',
    request: '**/api/location/features?*',
    placeholder: (page) => page.getByText('Loading features'),
    count: 1,
    text: 'Projector',
  },
  { path: '/pods', request: '**/api/product/getall?*', placeholder: tableRows, count: 10, text: 'Aurora' },
  {
    path: '/Transactions',
    request: '**/api/transactions/getalltransactions?*',
    placeholder: tableRows,
    count: 5,
    text: 'checkout-of-zanele',
  },
  {
    path: '/user-details',
    request: '**/api/user/all-users?*',
    placeholder: tableRows,
    count: 10,
    text: 'Zanele Dlamini',
  },
  {
    path: '/booking',
    request: '**/api/user/all-bookings?*',
    placeholder: tableRows,
    count: 10,
    text: 'Zanele Dlamini',
  },
  {
    path: '/location',
    request: '**/api/location/details?*',
    placeholder: (page) => page.locator('ul[aria-busy=true] > li[aria-hidden=true]'),
    count: 6,
    text: 'Dock House',
  },
  { path: '/assign-role', request: '**/api/user/all-staff?*', placeholder: tableRows, count: 10, text: 'Sipho Zulu' },
]

const shown = (page: Page, { text }: List) => page.getByRole('main').getByText(text).first()

/** Opens a list from the menu, as loading the portal again for each would take longer. */
const open = (page: Page, { path }: List) =>
  page.getByRole('navigation', { name: 'Main' }).locator(`a[href="${path}"]`).click()

test.describe('Every list', () => {
  test.beforeEach(async ({ page, server, signIn }) => {
    await buildOneOfEach(server)
    await signIn(undefined, { firstname: 'Sipho', lastname: 'Zulu' })
    await page.goto('/qr')
  })

  test('shows placeholders until a slow response arrives, and then its rows', async ({ page }) => {
    for (const list of lists) {
      await test.step(list.path, async () => {
        const release = await holdRoute(page, list.request)
        await open(page, list)
        await expect(list.placeholder(page)).toHaveCount(list.count)
        await expect(page.getByRole('alert')).toHaveCount(0)
        await release()
        await expect(shown(page, list)).toBeVisible()
        await expect(list.placeholder(page)).toHaveCount(0)
      })
    }
  })

  test('shows the message and request id, but no Retry, when access is refused', async ({ page }) => {
    expectConsoleErrors(/403/)
    const json = { message: 'You cannot access this page.', code: 'page_required', requestId: 'refused-7' }
    for (const list of lists) {
      await test.step(list.path, async () => {
        await page.route(list.request, (route) => route.fulfill({ status: 403, json }))
        await open(page, list)
        await expect(page.getByRole('alert')).toContainText('You cannot access this page.')
        await expect(page.getByRole('alert')).toContainText('Request refused-7')
        await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
        await expect(shown(page, list)).toHaveCount(0)
      })
    }
  })

  test('shows an error in place of its rows when the response is no list, and loads on Retry', async ({ page }) => {
    for (const list of lists) {
      await test.step(list.path, async () => {
        const alert = page.getByRole('main').getByRole('alert')
        await page.route(list.request, (route) => route.fulfill({ json: null }))
        await open(page, list)
        await expect(alert).toContainText('The server gave no valid response (status 200).')
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
        await page.unroute(list.request)
        await page.route(list.request, (route) => route.fulfill({ json: {} }))
        // The same text is shown before: unrouted too early, the list would load without the second Retry.
        const refused = page.waitForResponse(list.request)
        await alert.getByRole('button', { name: 'Retry' }).click()
        await refused
        await expect(alert).toContainText('The server gave no valid response (status 200).')
        await page.unroute(list.request)
        await alert.getByRole('button', { name: 'Retry' }).click()
        await expect(shown(page, list)).toBeVisible()
      })
    }
  })

  test('shows an error when the server fails or cannot be reached, and loads on Retry', async ({ context }) => {
    // The session was stored by the test's first page only; the other tabs share it.
    const json = { message: 'The disk is full.', code: 'internal', requestId: 'request-42' }
    // In parallel, because each failure is retried three times before it is shown.
    const walk = async (list: List) => {
      const tab = await context.newPage()
      const alert = tab.getByRole('main').getByRole('alert')
      await tab.route(list.request, (route) => route.fulfill({ status: 500, json }))
      await tab.goto(list.path)
      // Many tabs starting at once are slow; the time for the retries only begins once the screen is there.
      await expect(tab.getByRole('heading', { level: 1 }), list.path).toBeVisible()
      await expect(alert, list.path).toContainText('The disk is full.')
      await expect(alert, list.path).toContainText('Request request-42')
      await expect(tab.getByRole('navigation', { name: / pages$/ }), list.path).toHaveCount(0)
      await tab.unroute(list.request)
      await tab.route(list.request, (route) => route.abort())
      await alert.getByRole('button', { name: 'Retry' }).click()
      await expect(alert, list.path).toContainText(DOWN)
      await tab.unroute(list.request)
      await alert.getByRole('button', { name: 'Retry' }).click()
      await expect(shown(tab, list), list.path).toBeVisible()
      await expect(alert, list.path).toHaveCount(0)
      await tab.close()
    }
    await Promise.all(lists.map(walk))
  })

  test('retries by itself after the Retry-After time of an overloaded server', async ({ page }) => {
    expectConsoleErrors(/503/)
    for (const list of lists) {
      await test.step(list.path, async () => {
        const asked: number[] = []
        await page.route(list.request, (route) => {
          asked.push(performance.now())
          if (asked.length > 1) return route.continue()
          return route.fulfill({
            status: 503,
            headers: { 'retry-after': '1' },
            json: { message: BUSY, code: 'overloaded' },
          })
        })
        await open(page, list)
        await expect(shown(page, list)).toBeVisible()
        await expect(page.getByRole('alert')).toHaveCount(0)
        const [first = 0, second = 0] = asked
        expect(second - first).toBeGreaterThan(950)
        await page.unroute(list.request)
      })
    }
  })
})

/** Confirmations whose request is not made to fail in any other test. */
const questions: { path: string; request: string; role?: 'dialog'; ask: string | RegExp; yes: string; done: string }[] =
  [
    {
      path: '/user-details',
      request: '**/api/user/*',
      ask: 'Delete Zanele Dlamini',
      yes: 'Delete',
      done: 'User deleted',
    },
    {
      path: '/assign-role',
      request: '**/api/user/delete-staff/*',
      ask: 'Delete Lerato Mokoena',
      yes: 'Delete',
      done: 'User deleted',
    },
    {
      path: '/booking',
      request: '**/api/bookings/*/cancel',
      role: 'dialog',
      ask: /^Cancel booking Aurora/,
      yes: 'Cancel booking',
      done: 'Booking cancelled',
    },
  ]

test.describe('When the server fails', () => {
  test.beforeEach(async ({ server, signIn }) => {
    await buildOneOfEach(server)
    await signIn()
  })

  test('keeps a confirmation open with the reason, and succeeds when confirmed again', async ({ page, server }) => {
    expectConsoleErrors(/ERR_FAILED|500/)
    await buildStaff(server.db, { firstname: 'Lerato', lastname: 'Mokoena' })
    await server.db
      .updateTable('bookings')
      .set({ start_time: wallTime('2030-01-07', '09:00'), end_time: wallTime('2030-01-07', '10:00') })
      .execute()
    const json = { message: 'The disk is full.', code: 'internal', requestId: 'request-42' }
    for (const { path, request, role = 'alertdialog', ask, yes, done } of questions) {
      await test.step(path, async () => {
        await page.goto(path)
        await page.getByRole('button', { name: ask }).click()
        const question = page.getByRole(role)
        await page.route(request, (route) => route.fulfill({ status: 500, json }))
        await question.getByRole('button', { name: yes, exact: true }).click()
        await expect(question.getByRole('alert')).toContainText('The disk is full.')
        await expect(question.getByRole('alert')).toContainText('Request request-42')
        await page.unroute(request)
        await page.route(request, (route) => route.abort())
        await question.getByRole('button', { name: yes, exact: true }).click()
        await expect(question.getByRole('alert')).toContainText(DOWN)
        await page.unroute(request)
        await question.getByRole('button', { name: yes, exact: true }).click()
        await expect(page.getByText(done)).toBeVisible()
        await expect(question).toBeHidden()
      })
    }
  })

  test('shows an error in the booking form when pods cannot be loaded, and loads them on Retry', async ({ page }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await page.route('**/api/product/getall?*', (route) => route.abort())
    await page.goto('/corporate-booking')
    const alert = page.getByRole('form', { name: 'Corporate Booking' }).getByRole('alert')
    await expect(alert).toContainText(DOWN)
    // On a phone the Retry button is not cut off beside the reason.
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    const isCutOff = await alert
      .getByRole('button', { name: 'Retry' })
      .evaluate((button) => [button, ...button.querySelectorAll('*')].some((it) => it.scrollWidth > it.clientWidth))
    expect(isCutOff).toBe(false)
    await page.getByRole('combobox', { name: 'Pod' }).click()
    await expect(page.getByText('The choices could not be loaded.')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.unroute('**/api/product/getall?*')
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expect(alert).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Pod' }).click()
    await expect(page.getByRole('option', { name: 'Aurora' })).toBeVisible()
  })
})

test.describe('A stored session without a user id', () => {
  // Another program may have stored such a session: token and pages restore it, but the user is unusable.
  const withoutId = JSON.stringify({ message: 'Signed in' })

  test('loads no dashboard data, names the missing user id, and allows signing out', async ({ page, signIn }) => {
    await signIn()
    await page.addInitScript((user) => localStorage.setItem('user', user), withoutId)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/dashboard/')) asked += 1
    })
    await page.goto('/')
    await expect(page.getByRole('alert')).toContainText('User ID is missing in the auth object.')
    await expect(page.getByRole('alert')).toContainText('Sign out and log in again.')
    expect(asked).toBe(0)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/login/)
  })

  test('replaces an open dashboard with the error when another tab stores the session', async ({
    page,
    context,
    signIn,
  }) => {
    await signIn()
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'User Details', exact: true })).toBeVisible()
    const other = await context.newPage()
    await other.goto('/favicon.svg')
    await other.evaluate((user) => {
      localStorage.setItem('user', user)
      localStorage.setItem('auth_page', '["1"]')
    }, withoutId)
    await expect(page.getByRole('alert')).toContainText('User ID is missing in the auth object')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  })
})

test('Until the portal is there, the page says that it is loading, and what to do when that takes long', async ({
  page,
}) => {
  expectConsoleErrors(/ERR_FAILED/)
  await page.route('**/assets/react-*.js', (route) => route.abort())
  await page.goto('/login')
  const [loading, help] = [page.getByText('Loading…'), page.getByText('Check your internet connection, or reload')]
  await expect(loading).toBeVisible()
  await expect(help).toHaveCSS('animation-delay', '10s')
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()))
  await expect(help).toBeVisible()
})
