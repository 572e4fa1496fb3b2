import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { buildBooking, buildLocation, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

type List = {
  page: string
  request: string
  search: string
  heading: string
  pageSize: number
  build: (server: TestServer, count: number) => Promise<void>
}

/** In each list, a search for 'Mokoena' finds all the built records, and the list has no others. */
const lists: readonly List[] = [
  {
    page: '/booking',
    request: '**/api/user/all-bookings',
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
    request: '**/api/transactions/getalltransactions',
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
    request: '**/api/user/all-users',
    search: 'Search users',
    heading: 'All Users',
    pageSize: 10,
    build: async ({ db }, count) => {
      for (let number = 0; number < count; number++) await buildUser(db, { lastname: 'Mokoena' })
    },
  },
]

/** Records the query parameters of a list's requests, in the order in which they are sent. */
function recordRequests(page: Page, request: string): URLSearchParams[] {
  const requests: URLSearchParams[] = []
  const path = request.replace('**', '')
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === path) requests.push(url.searchParams)
  })
  return requests
}

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr:not([aria-hidden])')

for (const { page: path, request, search, heading, pageSize, build } of lists) {
  test(`the total of ${heading} arrives with its rows, in one request per search and list page`, async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await build(server, pageSize + 1)
    await page.goto(path)
    await expect(page.getByText(`${heading} (${pageSize + 1})`)).toBeVisible()
    const requests = recordRequests(page, request)
    await page.getByRole('searchbox', { name: search }).fill('mokoena')
    await expect(page).toHaveURL(/search=mokoena/)
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
    await expect(page.getByText(`1–${pageSize} of ${pageSize + 1}`)).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
    await page.getByRole('searchbox', { name: search }).fill('nobody at all')
    await expect(page.getByText(`0 of ${pageSize + 1}`, { exact: true })).toBeVisible()
    const searches = requests.filter((query) => query.has('search'))
    expect(searches.map((query) => [query.get('search'), query.get('page')])).toEqual([
      ['mokoena', '1'],
      ['mokoena', '2'],
      ['nobody at all', '1'],
    ])
  })
}

test('a total above ten thousand is shown as 10,000+, and list pages beyond it can be opened', async ({
  page,
  server,
  signIn,
}) => {
  await signIn()
  await sql`
    insert into users (id, firstname, lastname, email, mobile, role, username)
    select gen_random_uuid(), 'Lerato', 'Mokoena', n || '@example.com', '', 'user', ''
      from generate_series(1, 10025) as n`.execute(server.db)
  await page.goto('/user-details?search=mokoena')
  await expect(page.getByText('10,000+ of 10,025')).toBeVisible()
  await expect(page.getByText('1–10 of 10,000+')).toBeVisible()
  await page.getByRole('button', { name: 'Page 1,000', exact: true }).click()
  await expect(page.getByText('9,991–10,000 of 10,000+')).toBeVisible()
  for (const range of ['10,001–10,010', '10,011–10,020', '10,021–10,025']) {
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText(`${range} of 10,000+`)).toBeVisible()
  }
  await expect(rowsOf(page)).toHaveCount(5)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await expectAccessible(page)
  // Without a search the total is exact.
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByText('All Users (10,025)')).toBeVisible()
})

test('that a search finds nothing is announced, whatever the list looks like', async ({ page, server, signIn }) => {
  await buildUser(server.db)
  await buildLocation(server.db)
  await signIn([5, 7])
  for (const [path, search, said] of [
    ['/user-details', 'Search users', 'No user matches.'],
    ['/location', 'Search locations', 'No location matches.'],
  ] as const) {
    await page.goto(path)
    const status = page.getByRole('status')
    await expect(page.getByText(/^All \w+ \(1\)$/)).toBeVisible()
    // Only what appears in an element that is already there is announced for certain.
    await status.evaluateAll((nodes) => nodes.forEach((node) => node.setAttribute('data-early', '')))
    await page.getByRole('searchbox', { name: search }).fill('nothing like it')
    await expect(page.locator('[data-early]', { hasText: said })).toBeVisible()
  }
})

test('results that are only spelled similarly are announced in a status message above the table', async ({
  page,
  server,
  signIn,
}) => {
  await signIn()
  await buildUser(server.db, { firstname: 'Lerato', lastname: 'Mokoena' })
  await page.route('**/api/user/all-users?*search=mokeona*', async (route) => {
    const url = route.request().url().replace('mokeona', 'mokoena')
    const response = await route.fetch({ url })
    await route.fulfill({ response: response, headers: { ...response.headers(), 'x-search-match': 'alike' } })
  })
  await page.goto('/user-details')
  const note = page.getByRole('status').filter({ hasText: 'spelled similarly' })
  await page.getByRole('searchbox', { name: 'Search users' }).fill('mokeona')
  await expect(note).toHaveText('No exact match for “mokeona”. These are spelled similarly.')
  await expect(page.getByRole('table').getByText('Lerato Mokoena')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.getByRole('searchbox', { name: 'Search users' }).fill('mokoena')
  await expect(note).toHaveCount(0)
  await expect(page.getByText('Lerato Mokoena')).toBeVisible()
})
