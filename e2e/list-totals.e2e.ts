import type { Page } from '@playwright/test'
import { buildBooking, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import type { TestServer } from './test-server.ts'

type List = {
  page: string
  /** Of the rows' and the total's call alike. */
  call: string
  search: string
  heading: string
  pageSize: number
  build: (server: TestServer, count: number) => Promise<void>
}

/** Whatever each list searches in, 'Mokoena' finds all that is built, and nothing else is there. */
const lists: readonly List[] = [
  {
    page: '/booking',
    call: '**/api/user/all-bookings',
    search: 'Search bookings',
    heading: 'All Bookings',
    pageSize: 10,
    build: async ({ db }, count) => {
      const { id: user_id } = await buildUser(db, { lastname: 'Mokoena' })
      const { id: pod_id } = await buildPod(db)
      for (let day = 1; day <= count; day++) {
        await buildBooking(db, { user_id, pod_id, start_time: new Date(Date.UTC(2026, 10, day, 9)) })
      }
    },
  },
  {
    page: '/Transactions',
    call: '**/api/transactions/getalltransactions',
    search: 'Search transactions',
    heading: 'All Transactions',
    pageSize: 6,
    build: async ({ db }, count) => {
      const { id: user_id } = await buildUser(db, { lastname: 'Mokoena' })
      for (let number = 0; number < count; number++) {
        await buildTransaction(db, { booking_id: (await buildBooking(db, { user_id })).id })
      }
    },
  },
  {
    page: '/user-details',
    call: '**/api/user/all-users',
    search: 'Search users',
    heading: 'All Users',
    pageSize: 10,
    build: async ({ db }, count) => {
      for (let number = 0; number < count; number++) await buildUser(db, { lastname: 'Mokoena' })
    },
  },
]

/** The queries of a list's calls, in the order in which they are sent. */
function recordCalls(page: Page, call: string): URLSearchParams[] {
  const calls: URLSearchParams[] = []
  const path = call.replace('**', '')
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === path) calls.push(url.searchParams)
  })
  return calls
}

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr:not([aria-hidden])')
const ofTotal = (query: URLSearchParams) => query.get('count') === 'only'

for (const { page: path, call, search, heading, pageSize, build } of lists) {
  test.describe(`The total of ${heading}`, () => {
    test('never delays the rows that a search finds, nor moves them when it comes', async ({
      page,
      server,
      signIn,
    }) => {
      await signIn()
      await build(server, 2 * pageSize + 1)
      await page.goto(path)
      await expect(page.getByText(`${heading} (${2 * pageSize + 1})`)).toBeVisible()
      const calls = recordCalls(page, call)
      const releaseTotal = await holdRoute(page, `${call}?*count=only*`)
      await page.getByRole('searchbox', { name: search }).fill('mokoena')
      await expect(page.getByText(`… of ${2 * pageSize + 1}`, { exact: true })).toBeVisible()
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
      await expect(rowsOf(page)).toHaveCount(pageSize)
      await expect(page.getByText(`1–${pageSize}`, { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Page 1' })).toHaveCount(0)

      // Turning the page neither waits for the total nor counts again.
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(page.getByText(`${pageSize + 1}–${2 * pageSize}`, { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(rowsOf(page)).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
      await page.getByRole('button', { name: 'Previous page' }).click()
      await expect(rowsOf(page)).toHaveCount(pageSize)

      const places = () =>
        Promise.all(
          [page.getByRole('table'), page.getByRole('button', { name: 'Previous page' })].map((one) =>
            one.boundingBox(),
          ),
        )
      const before = await places()
      await releaseTotal()
      await expect(page.getByText(`${2 * pageSize + 1} of ${2 * pageSize + 1}`, { exact: true })).toBeVisible()
      await expect(page.getByText(`${pageSize + 1}–${2 * pageSize} of ${2 * pageSize + 1}`)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Page 3' })).toBeVisible()
      expect(await places()).toEqual(before)

      const totals = calls.filter(ofTotal)
      expect(totals).toHaveLength(1)
      expect([totals[0]?.get('search'), totals[0]?.has('page'), totals[0]?.has('sort')]).toEqual([
        'mokoena',
        false,
        false,
      ])
      const ofSearch = calls.filter((query) => query.has('search') && !ofTotal(query))
      expect(ofSearch.every((query) => query.get('count') === 'no')).toBe(true)
      // How many there are without the search is asked for once, and of one row.
      const ofAll = calls.filter((query) => !query.has('search'))
      expect(ofAll.map((query) => query.get('limit'))).toEqual(['1'])
    })

    test('is given up when the search goes on', async ({ page, server, signIn }) => {
      await signIn()
      await build(server, 2)
      await page.goto(path)
      await expect(page.getByText(`${heading} (2)`)).toBeVisible()
      await holdRoute(page, `${call}?*count=only*`)
      await page.getByRole('searchbox', { name: search }).fill('mok')
      await expect(page.getByText('… of 2', { exact: true })).toBeVisible()
      await expect(rowsOf(page)).toHaveCount(2)
      const givenUp = page.waitForEvent('requestfailed')
      await page.getByRole('searchbox', { name: search }).fill('mokoena')
      const { searchParams } = new URL((await givenUp).url())
      expect([searchParams.get('count'), searchParams.get('search')]).toEqual(['only', 'mok'])
    })

    test('comes with the rows, in one call, while nothing is searched', async ({ page, server, signIn }) => {
      await signIn()
      await build(server, 2)
      const calls = recordCalls(page, call)
      await page.goto(path)
      await expect(page.getByText(`${heading} (2)`)).toBeVisible()
      expect(calls.map((query) => query.get('count'))).toEqual([null])
      // Back from a search too, where the rows before had no total of their own.
      await page.getByRole('searchbox', { name: search }).fill('nobody')
      await expect(page.getByText('0 of 2', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Clear search' }).click()
      await expect(page.getByText(`${heading} (2)`)).toBeVisible()
      await expect(page.getByText('1–2 of 2')).toBeVisible()
    })

    test('may fail: the rows stay, and Retry counts again', async ({ page, server, signIn, expectConsoleErrors }) => {
      expectConsoleErrors(/500/)
      await signIn()
      await build(server, pageSize + 1)
      await page.route(`${call}?*count=only*`, (route) =>
        route.fulfill({ status: 500, json: { message: 'Something went wrong on our side.', code: 'internal' } }),
      )
      await page.goto(`${path}?search=mokoena`)
      await expect(page.getByText('The total could not be counted.')).toBeVisible()
      await expect(rowsOf(page)).toHaveCount(pageSize)
      await expect(page.getByText(`of ${pageSize + 1}`)).toHaveCount(0)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(rowsOf(page)).toHaveCount(1)
      await page.unroute(`${call}?*count=only*`)
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByText(`${pageSize + 1} of ${pageSize + 1}`, { exact: true })).toBeVisible()
      await expect(page.getByText('The total could not be counted.')).toHaveCount(0)
    })
  })
}

test('What is only spelled alike is said above the table, quietly', async ({ page, server, signIn }) => {
  await signIn()
  await buildUser(server.db, { firstname: 'Lerato', lastname: 'Mokoena' })
  await page.route('**/api/user/all-users?*search=mokeona*', async (route) => {
    const url = route.request().url().replace('mokeona', 'mokoena')
    const answer = await route.fetch({ url })
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-search-match': 'alike' } })
  })
  await page.goto('/user-details')
  const note = page.getByRole('status').filter({ hasText: 'spelled alike' })
  await page.getByRole('searchbox', { name: 'Search users' }).fill('mokeona')
  await expect(note).toHaveText('No exact match for “mokeona”. These are spelled alike.')
  await expect(page.getByRole('table').getByText('Lerato Mokoena')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.getByRole('searchbox', { name: 'Search users' }).fill('mokoena')
  await expect(note).toHaveCount(0)
  await expect(page.getByText('Lerato Mokoena')).toBeVisible()
})
