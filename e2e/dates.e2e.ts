import { buildBooking } from '#server/testing/factories.ts'
import { businessDay } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'

test.describe('Date filters of a list', () => {
  test('accept a typed 2026-12-01, and keep an invalid day in the field with an error beside it', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await buildBooking(server.db, { start_time: new Date('2026-11-23T09:00:00.000Z') })
    await buildBooking(server.db, { start_time: new Date('2026-12-24T09:00:00.000Z') })
    await page.goto('/booking?to=2026-12-31')
    await expect(page.getByText('2 of 2', { exact: true })).toBeVisible()
    const from = page.getByRole('textbox', { name: 'From' })
    await from.pressSequentially('2026-12-01')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/from=2026-12-01/)

    for (const [typed, problem] of [
      ['12/01/2026', 'Write the day as 2026-12-01.'],
      ['2026-02-30', 'There is no 2026-02-30 in the calendar.'],
      ['2027-01-01', 'It begins after 2026-12-31, its last day.'],
    ] as const) {
      await from.fill(typed)
      await from.press('Enter')
      await expect(from).toHaveAccessibleDescription(problem)
      await expect(from).toHaveAttribute('aria-invalid', 'true')
      await expect(from).toHaveValue(typed)
      await expect(page).toHaveURL(/\/booking\?to=2026-12-31$/)
    }
    await expect(page.getByText('2 of 2', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await from.fill('2026/12/1')
    await from.blur()
    await expect(from).toHaveValue('2026-12-01')
    await expect(page).toHaveURL(/from=2026-12-01/)
    await page.goBack()
    await expect(from).toHaveValue('')
  })

  test('filter from a day that was after the last one, as soon as that is later', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/booking?from=2026-11-01&to=2026-11-10')
    const from = page.getByRole('textbox', { name: 'From' })
    await from.fill('2026/12/1')
    await from.press('Tab')
    await expect(from).toHaveAccessibleDescription('It begins after 2026-11-10, its last day.')
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('2026-12-05')
    await expect(page).toHaveURL('/booking?to=2026-12-05&from=2026-12-01')
    await expect(from).toHaveValue('2026-12-01')
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('can be chosen in a calendar, which is loaded only when opened', async ({ page, signIn }) => {
    const calendars: string[] = []
    page.on('request', (request) => {
      if (/\/calendar-(?!button)[^/]*\.js/.test(request.url())) calendars.push(request.url())
    })
    await signIn()
    await page.goto('/booking')
    await waitUntilQuiet(page)
    expect(calendars).toEqual([])
    const button = page.getByRole('button', { name: 'Choose days' })
    const dialog = page.getByRole('dialog', { name: 'Choose days' })

    await button.click()
    for (const name of ['Today', 'Tomorrow', 'Yesterday', 'Next 7 days', 'Last 7 days', 'This month', 'Last month']) {
      await expect(dialog.getByRole('button', { name, exact: true })).toBeVisible()
    }
    await expect(dialog.getByRole('grid')).toBeVisible()
    expect(calendars).toHaveLength(1)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Next 7 days' }).click()
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
    await expect(page).toHaveURL(`/booking?from=${businessDay()}&to=${businessDay(6)}`)
    await expect(page.getByRole('textbox', { name: 'From' })).toHaveValue(businessDay())
    await expect(page.getByRole('textbox', { name: 'To' })).toHaveValue(businessDay(6))

    await page.goto('/Transactions')
    await button.click()
    await dialog.getByRole('button', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL(`/Transactions?from=${businessDay(-6)}&to=${businessDay()}`)

    // By keyboard, choosing the last day first: the two days are put in order.
    await page.goto('/booking?from=2026-11-10')
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: /November 10, 2026/ })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('From 2026-11-17: choose the last day.')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/booking?from=2026-11-09&to=2026-11-17')
    await expect(button).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('fit on a phone, and on one line with the other filters at 1440 pixels', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/booking?from=2026-11-10&status=Pending')
    const search = await page.getByRole('searchbox', { name: 'Search bookings' }).boundingBox()
    const clear = await page.getByRole('button', { name: 'Clear filters' }).first().boundingBox()
    const middle = (box: typeof clear) => (box?.y ?? 0) + (box?.height ?? 0) / 2
    expect(Math.abs(middle(search) - middle(clear))).toBeLessThan(2)

    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByRole('button', { name: 'Choose days' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose days' })
    await expect(dialog.getByRole('grid')).toBeVisible()
    // In its first frame the dialog is still a little lower.
    await expect(async () => {
      const box = await dialog.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
    }).toPass()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})

test.describe('The day of a corporate booking', () => {
  test('starts as today, can be set to tomorrow with a click, and cannot be in the past', async ({ page, signIn }) => {
    await signIn([9])
    await page.goto('/corporate-booking')
    const date = page.getByRole('textbox', { name: 'Date' })
    await expect(date).toHaveValue(businessDay())
    await page.getByRole('button', { name: 'Choose a day' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a day' })
    await expect(dialog.getByRole('grid')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Tomorrow', exact: true }).click()
    await expect(date).toHaveValue(businessDay(1))
    await date.fill(businessDay(-1))
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(date).toHaveAccessibleDescription(`Choose ${businessDay()} or a later day.`)
    await expect(date).toHaveValue(businessDay(-1))
  })
})

test.describe('The days that the portal proposes', () => {
  test('are those of the server where the browser’s clock is a day off', async ({ page, signIn }) => {
    await signIn()
    await page.clock.setFixedTime(new Date(Date.now() + 86_400_000))
    await page.goto('/schedule')
    await expect(page.getByText(`${businessDay()}, `)).toBeVisible()
    await page.goto('/corporate-booking')
    await expect(page.getByRole('textbox', { name: 'Date' })).toHaveValue(businessDay())
  })
})

test('What a table says was today becomes yesterday at midnight', async ({ page, signIn }) => {
  expectConsoleErrors(/ERR_FAILED/)
  await page.clock.install()
  await signIn()
  await page.goto('/account')
  const cell = page
    .getByRole('table', { name: 'Sessions' })
    .getByRole('cell', { name: /^today, / })
    .first()
  await expect(cell).toBeVisible()
  await waitUntilQuiet(page)
  // A response would say that it is still today.
  await page.route('**/api/**', (route) => route.abort())
  await page.clock.fastForward('24:00:00')
  await expect(
    page.getByRole('table', { name: 'Sessions' }).getByRole('cell', { name: /^yesterday, / }),
  ).not.toHaveCount(0)
  await expect(cell).toHaveCount(0)
})
