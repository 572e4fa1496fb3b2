import type { Locator, Page } from '@playwright/test'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
  TEST_PASSWORD,
} from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

/** The narrowest width at which tables are used. */
const NARROW = { width: 768, height: 500 }

async function boxOf(page: Page, role: 'columnheader' | 'button', name: string | RegExp) {
  const box = await page.getByRole(role, { name }).first().boundingBox()
  if (box === null) throw new Error(`${name} is not drawn`)
  return box
}

async function expectWhole(what: Locator) {
  expect(await what.evaluate((node) => node.scrollWidth - node.clientWidth), 'how much is cut').toBe(0)
}

/** As some people set it for all sites, to read letters better (WCAG 1.4.12). */
async function setLettersApart(page: Page) {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets = [sheet]
  })
}

test.describe('A wide table', () => {
  test('keeps the Operations column in view while scrolling sideways', async ({ page, signIn }) => {
    const { email } = await signIn()
    const data = { email, password: TEST_PASSWORD }
    expect((await page.request.post('/api/user/login', { data })).ok()).toBe(true)
    await page.setViewportSize(NARROW)
    await page.goto('/account')
    const frame = page.getByRole('group', { name: 'Sessions, scrolls sideways' })
    await expect(frame).toBeVisible()
    const places = async () => {
      const header = await boxOf(page, 'columnheader', 'Operations')
      const button = await boxOf(page, 'button', /^Actions for/)
      const box = await frame.boundingBox()
      return { header, button, edge: (box?.x ?? 0) + (box?.width ?? 0) }
    }
    const expectPinned = ({ header, button, edge }: Awaited<ReturnType<typeof places>>) => {
      expect(Math.abs(header.x + header.width - edge)).toBeLessThan(3)
      expect(button.x).toBeGreaterThanOrEqual(header.x)
      expect(button.x + button.width).toBeLessThanOrEqual(edge)
    }
    expectPinned(await places())

    // Scrolling to the other end by keyboard shows the complete last column under its own header.
    await frame.focus()
    await expect(frame).not.toHaveAttribute('data-at-end')
    await expect(async () => {
      await page.keyboard.press('ArrowRight')
      await expect(frame).toHaveAttribute('data-at-end', { timeout: 100 })
    }).toPass()
    const atEnd = await places()
    expectPinned(atEnd)
    const column = await boxOf(page, 'columnheader', 'Last used')
    const moment = await page
      .getByText(/^today, /)
      .last()
      .boundingBox()
    expect(moment?.x).toBeGreaterThanOrEqual(column.x)
    expect((moment?.x ?? 0) + (moment?.width ?? 0)).toBeLessThanOrEqual(
      Math.min(column.x + column.width, atEnd.header.x),
    )
    await expectAccessible(page)
  })

  test('shows every status on a tablet without scrolling sideways, and leaves out what tells least', async ({
    browser,
    server,
    signIn,
  }) => {
    const context = await browser.newContext({ isMobile: true, hasTouch: true })
    const page = await context.newPage()
    await signIn(undefined, {}, page)
    const { id: pod_id } = await buildPod(server.db, { title: 'The Jacaranda Room' })
    const { id: user_id } = await buildUser(server.db, { firstname: 'Nomvula', lastname: 'Khumalo' })
    const { id: booking_id } = await buildBooking(server.db, { pod_id, user_id })
    await buildTransaction(server.db, { booking_id, amount: '1080.00' })
    await buildClosure(server.db, { podId: pod_id })
    for (const width of [768, 834, 1024, 1180]) {
      await page.setViewportSize({ width, height: 820 })
      for (const [path, id] of [
        ['/booking', 'Booking Id'],
        ['/Transactions', 'Transaction Id'],
        ['/user-details', 'User Id'],
        ['/assign-role', 'User Id'],
        ['/pods', 'Pod Id'],
        ['/closures', 'By'],
      ] as const) {
        await test.step(`${path} at ${width} pixels`, async () => {
          await page.goto(server.url + path)
          await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
          await expect(page.getByRole('group', { name: /, scrolls sideways$/ })).toHaveCount(0)
          await expect(page.getByRole('columnheader', { name: 'Status' })).toBeInViewport({ ratio: 1 })
          await expect(page.getByRole('columnheader', { name: id })).toHaveCount(width < 1000 ? 0 : 1)
        })
      }
    }
    await page.setViewportSize({ width: 768, height: 820 })
    await page.goto(`${server.url}/pods`)
    await page.getByRole('button', { name: 'Actions for The Jacaranda Room' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit Pod' })).toBeVisible()
    await page.goto(`${server.url}/Transactions`)
    const amount = page.getByRole('cell', { name: 'R 1 080.00' })
    expect(await amount.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    await context.close()
  })

  test('cuts off no text on a desktop screen, and does not scroll sideways at 1280 pixels', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const place = 'Dock Road, V&A Waterfront'
    const { id: location_id } = await buildLocation(server.db, { name: place })
    const { id: pod_id } = await buildPod(server.db, { title: 'The Jacaranda Room', location_id })
    const { id: user_id } = await buildUser(server.db, { firstname: 'Nomvula', lastname: 'Khumalo' })
    const { id: booking_id } = await buildBooking(server.db, { pod_id, user_id })
    const expectWholePlace = async () => {
      const name = page.getByRole('table').getByText(place, { exact: true })
      const excess = await name.evaluate((node) => [
        node.scrollWidth - node.clientWidth,
        node.scrollHeight - node.clientHeight,
      ])
      expect(excess, `how much of ${place} is cut`).toEqual([0, 0])
    }
    await page.goto('/booking')
    await expect(page.getByRole('group', { name: 'Bookings, scrolls sideways' })).toHaveCount(0)
    await expectWholePlace()
    for (const text of ['2026-11-23', '9:00 AM - 10:00 AM', 'The Jacaranda Room', 'Nomvula Khumalo', 'Pending']) {
      const cell = page.getByRole(text === 'The Jacaranda Room' ? 'rowheader' : 'cell', { name: text, exact: true })
      const isCut = await cell.evaluate((node) =>
        [node, ...node.children].some(
          (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight,
        ),
      )
      expect(isCut, `${text} is cut`).toBe(false)
    }
    // On a narrower screen the columns move closer together before the table scrolls.
    await page.setViewportSize({ width: 1280, height: 720 })
    await expect(page.getByRole('group', { name: 'Bookings, scrolls sideways' })).toHaveCount(0)
    await expectWholePlace()
    await setLettersApart(page)
    await expectWhole(page.getByRole('cell', { name: '2026-11-23', exact: true }))
    // Of the widest digits: a date with ones in it is narrower.
    await buildTransaction(server.db, { booking_id, created_at: new Date('2026-08-08T09:00:00.000Z') })
    await page.goto('/Transactions')
    await expect(page.getByRole('table', { name: 'Transactions' }).getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('group', { name: 'Transactions, scrolls sideways' })).toHaveCount(0)
    await expectWholePlace()
    const date = page.getByRole('table').getByText('2026-08-08')
    await expectWhole(date)
    await setLettersApart(page)
    await expectWhole(date)
    await expectWhole(page.getByRole('cell', { name: /^R\s150\.00$/ }))
    await page.goto('/assign-role')
    await expect(
      page.getByRole('table', { name: 'Staff' }).getByRole('button', { name: /^Edit/ }).first(),
    ).toBeVisible()
    await expect(page.getByRole('group', { name: 'Staff, scrolls sideways' })).toHaveCount(0)
  })

  test('breaks no word of a name where its columns have just enough room', async ({ page, server, signIn }) => {
    await signIn([4])
    const { id: pod_id } = await buildPod(server.db, { title: 'Boardroom' })
    const { id: booking_id } = await buildBooking(server.db, { pod_id })
    await buildTransaction(server.db, { booking_id })
    await page.goto('/Transactions')
    const name = page.getByRole('table').getByText('Boardroom')
    for (const width of [768, 834, 920, 1024, 1093, 1280, 1400, 1440]) {
      await page.setViewportSize({ width, height: 820 })
      const lines = () =>
        name.evaluate((node) => {
          const range = document.createRange()
          range.selectNodeContents(node)
          return range.getClientRects().length
        })
      await expect.poll(lines, { message: `lines at ${width} pixels` }).toBe(1)
    }
  })

  test('widens the column of amounts for one that would be cut off', async ({ page, server, signIn }) => {
    await signIn()
    await buildTransaction(server.db, { amount: '12345678.90' })
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto('/Transactions')
    const amount = page.getByRole('cell', { name: 'R 12 345 678.90' })
    await expect(amount).toBeVisible()
    expect(await amount.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
  })

  test('keeps its rows low beside a long name, of which a phone shows three lines', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const company = await buildCompany(server.db, { name: 'Baobab '.repeat(28).trim() })
    await buildBooking(server.db, { company_id: company.id })
    await page.goto('/booking')
    const readHeight = async (name: Locator) => (await name.boundingBox())?.height
    expect(await readHeight(page.getByRole('table').getByRole('row').nth(1))).toBeLessThan(50)
    await page.setViewportSize(PHONE)
    const name = page.getByRole('list', { name: 'Bookings' }).getByText('Baobab Baobab')
    await expect(name).toBeVisible()
    expect(await readHeight(page.getByRole('list', { name: 'Bookings' }).getByRole('listitem'))).toBeLessThan(180)
  })

  test('stays where it is when the first filter is set', async ({ page, server, signIn }) => {
    await signIn()
    const { id: booking_id } = await buildBooking(server.db)
    await buildTransaction(server.db, { booking_id })
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 720 })
      for (const [path, status] of [
        ['/booking', 'Pending'],
        ['/Transactions', 'completed'],
      ] as const) {
        await test.step(`${path} at ${width} pixels`, async () => {
          const readTop = async () => (await page.getByRole('table').boundingBox())?.y
          await page.goto(path)
          await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
          const top = await readTop()
          await page.getByLabel('Status').selectOption(status)
          await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
          expect(await readTop()).toBe(top)
        })
      }
    }
  })

  test('keeps the operations of a row in their column on a tablet', async ({ browser, server, signIn }) => {
    const context = await browser.newContext({ viewport: { width: 1180, height: 820 }, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    await signIn([8], {}, page)
    await page.goto(`${server.url}/assign-role`)
    const cell = page.getByRole('cell', { name: /^Block/ })
    const buttons = cell.getByRole('button')
    await expect(buttons).toHaveCount(5)
    const [first, whole] = [await buttons.first().boundingBox(), await cell.boundingBox()]
    expect(first?.x).toBeGreaterThan(whole?.x ?? 0)
    await context.close()
  })

  test('leaves as much room above a name alone as below it on a phone', async ({ browser, server, signIn }) => {
    await buildFeature(server.db, { name: 'Projector' })
    const context = await browser.newContext({ viewport: PHONE, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    await signIn([2], {}, page)
    await page.goto(`${server.url}/features`)
    const name = page.getByRole('listitem').getByText('Projector')
    await expect(name).toBeVisible()
    const room = await name.evaluate((node) => {
      const [text, card] = [node.getBoundingClientRect(), node.closest('li')?.getBoundingClientRect()]
      return { above: text.top - (card?.top ?? 0), below: (card?.bottom ?? 0) - text.bottom }
    })
    expect(Math.abs(room.above - room.below)).toBeLessThanOrEqual(4)
    await context.close()
  })

  test('breaks no word of a name beside its image on the narrowest phones', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Boardroom' })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/pods')
    const title = page.getByRole('listitem').getByText('Boardroom')
    await expect(title).toBeVisible()
    const lines = await title.evaluate((node) => node.getClientRects()[0]?.height ?? 0)
    expect(lines).toBeLessThan(30)
    await expectNoSidewaysScroll(page)
  })

  test('becomes a list of cards at a zoom of 200 %', async ({ page, server, signIn }) => {
    await signIn()
    const { id: pod_id } = await buildPod(server.db, { title: 'The Jacaranda Room' })
    await buildBooking(server.db, { pod_id })
    await page.setViewportSize({ width: 640, height: 400 })
    await page.goto('/booking')
    const card = page.getByRole('list', { name: 'Bookings' }).getByRole('listitem')
    await expect(card).toContainText('The Jacaranda Room')
    await expect(card).toContainText('Pending')
    await expect(page.getByRole('table')).toHaveCount(0)
    await expectNoSidewaysScroll(page)
  })

  for (const { size, as } of [
    { size: 24, as: 'a table with wider columns' },
    { size: 32, as: 'a list of cards' },
  ]) {
    test(`becomes ${as} at a text size of ${size} px, as set in the browser`, async ({
      playwright,
      launchOptions,
      server,
      signIn,
    }) => {
      const args = [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${size}`]
      const browser = await playwright.chromium.launch({ ...launchOptions, args })
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await signIn([8], {}, page)
      await page.goto(`${server.url}/assign-role`)
      if (size === 32) {
        await expect(page.getByRole('list', { name: 'Staff' }).getByRole('listitem')).toBeVisible()
        await expect(page.getByRole('table')).toHaveCount(0)
      } else {
        const cell = page.getByRole('cell', { name: /^Block/ })
        await expect(cell).toBeVisible()
        const [first, whole] = [await cell.getByRole('button').first().boundingBox(), await cell.boundingBox()]
        expect(first?.x).toBeGreaterThan(whole?.x ?? 0)
      }
      await expectNoSidewaysScroll(page)
      await browser.close()
    })
  }
})
