import { PAGE } from '#contract/pages.ts'
import { buildBooking, buildPod } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { expect, expectAccessible, expectConsoleErrors, test } from './fixtures.ts'
import { booking, buildDay, grid, openSchedule, spoken } from './schedule-day.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('Booking from the schedule', () => {
  test('works by keyboard alone: choosing a time, hearing about a conflict, and booking', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await openSchedule(page)
    await grid(page).focus()
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 9:15 AM to 10:00 AM. Free.')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, Zanele Dlamini, Confirmed, 10:00 AM to 11:00 AM')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 11:00 AM to 12:00 PM. Free.')
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('Shift+ArrowRight')
    await expect(spoken(page)).toHaveText(
      'Aurora, 11:00 AM to 12:15 PM. Conflict with Johan Botha, 12:00 PM to 1:00 PM.',
    )
    await page.keyboard.press('Enter')
    await expect(spoken(page)).toHaveText(/^It cannot be dropped here\. Conflict with Johan Botha/)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('11:00')
    await expect(form.getByLabel('End')).toHaveValue('12:00')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Book', exact: true }).press('Enter')
    await expect(page.getByText('Booking created successfully')).toBeVisible()
    await expect(booking(page, /Pending, 11:00 AM to 12:00 PM/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('n')
    await expect(spoken(page)).toHaveText('Aurora, 6:00 AM to 7:00 AM. This time has passed.')
  })

  test('goes by keyboard ten pods at a time, to the ends of the day and the list, and to the week of a pod', async ({
    page,
    server,
    signIn,
  }) => {
    const { mill } = await buildDay(server)
    for (let nth = 1; nth <= 20; nth++) await buildPod(server.db, { title: `Deck ${nth}`, location_id: mill.id })
    await signIn([PAGE.bookings])
    await openSchedule(page)
    await grid(page).focus()
    for (const [key, where] of [
      ['PageDown', /^Deck 8, 9:00 AM/],
      ['PageUp', /^Aurora, 9:00 AM/],
      ['End', /^Aurora, 11:45 PM/],
      ['Control+End', /^Deck 20, 11:45 PM/],
      ['PageDown', /^Deck 20, 11:45 PM/],
      ['Control+Home', /^Aurora, 6:00 AM/],
    ] as const) {
      await page.keyboard.press(key)
      await expect(spoken(page)).toHaveText(where)
    }
    await page.keyboard.press('w')
    await expect(page.getByRole('grid', { name: /^Week of Aurora/ })).toBeVisible()
  })

  test('works for a customer, who is found by name, and shows the price to pay', async ({ page, server, signIn }) => {
    const { borealis, johan } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText(/^Borealis, 9:00 AM/)
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form).toContainText('Staff’s own bookings are not paid for.')
    await form.getByLabel('Booked for').selectOption('A customer')
    await expect(form).toContainText(/The customer owes R\s\d/)
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(form).toContainText('Customer is required')
    await choose(form.getByRole('combobox', { name: 'Customer' }), 'Botha', /Johan Botha/)
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: 'Johan Botha, Pending, 9:00 AM to 10:00 AM' }),
    ).toBeVisible()
    const made = await server.db.selectFrom('bookings').selectAll().where('pod_id', '=', borealis.id).execute()
    expect(made).toMatchObject([{ user_id: johan.id, balance_due: expect.anything() }])
    await expect(page).toHaveURL('/schedule')
  })

  test('takes along to Corporate Booking what was chosen, and asks before the details of a new customer are lost', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await openSchedule(page)
    const form = page.getByRole('dialog', { name: 'New booking' })
    const more = form.getByRole('link', { name: 'With a note, or every week, on Corporate Booking' })
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('n')
    await form.getByLabel('Purpose').selectOption('work')
    await form.getByLabel('Booked for').selectOption('A new customer')
    await form.getByLabel('First name').fill('Lerato')
    await more.click()
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await form.getByLabel('Booked for').selectOption('A customer')
    await choose(form.getByRole('combobox', { name: 'Customer' }), 'Botha', /Johan Botha/)
    await more.click()
    await expect(page.getByRole('heading', { name: 'Corporate Booking' })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Johan Botha')
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Borealis')
    await expect(page.getByLabel('Purpose')).toHaveValue('work')
    await expect(page.getByRole('button', { name: /^Time Slots/ })).toHaveText('9:00 AM - 10:00 AM')
  })

  test('is not made at another price than the one that was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { borealis } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Booked for').selectOption('A new customer')
    await form.getByLabel('First name').fill('Sipho')
    await form.getByLabel('Mobile').fill('082 555 0101')
    await server.db.updateTable('pods').set({ rate: '3' }).where('id', '=', borealis.id).execute()
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(form).toContainText('The price has changed since it was shown.')
    await expect(form).toContainText('The customer owes R 180.00.')
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(form).toHaveCount(0)
    const made = await server.db.selectFrom('bookings').selectAll().where('pod_id', '=', borealis.id).execute()
    expect(made).toMatchObject([{ price: '180.00' }])
  })

  test('offers what is free instead when somebody else has booked the time meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { aurora, zanele } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    await grid(page).focus()
    for (let quarter = 0; quarter < 5; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 11:00 AM to 12:00 PM. Free.')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    // Written to the database directly, so that the live stream does not report it.
    await buildBooking(server.db, {
      pod_id: aurora.id,
      user_id: zanele.id,
      start_time: wallTime(businessDay(), '11:00'),
    })
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    const free = form.getByRole('region', { name: 'Free instead' })
    await expect(free.getByRole('button')).toHaveText([
      '9:00 AM - 10:00 AM',
      '1:00 PM - 2:00 PM',
      '1:15 PM - 2:15 PM',
      'Borealis, Dock House, only 2 seats',
      'Comet, Mill',
    ])
    await free.getByRole('button', { name: '1:15 PM - 2:15 PM' }).click()
    await expect(form.getByLabel('Start')).toHaveValue('13:15')
    await expect(free).toHaveCount(0)
    // The end follows the start, as where a booking is moved.
    await form.getByLabel('Start').selectOption('11:00')
    await expect(form.getByLabel('End')).toHaveValue('12:00')
    await free.getByRole('button', { name: 'Borealis, Dock House, only 2 seats' }).click()
    await expect(form).toContainText('Borealis, Dock House')
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    const made = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /11:00 AM to 12:00 PM/ })
    await expect(made).toBeVisible()
  })

  test('works by mouse: clicking on free time, or dragging over it', async ({ page, server, signIn }) => {
    await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    const zanele = await booking(page, /Zanele/).boundingBox()
    if (!zanele) throw new Error('Zanele’s booking is not drawn')
    const quarter = zanele.width / 4
    const y = zanele.y + zanele.height / 2
    // Draws from 14:00, four hours after Zanele's start, to 14:45.
    const left = zanele.x + zanele.width * 4
    await page.mouse.move(left + 2, y)
    await page.mouse.down()
    await page.mouse.move(left + quarter * 2.5, y, { steps: 5 })
    await expect(grid(page).getByText('2:00 PM to 2:45 PM')).toBeAttached()
    await page.mouse.up()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('14:00')
    await expect(form.getByLabel('End')).toHaveValue('14:45')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.mouse.click(left + 2, y + zanele.height)
    await expect(form).toContainText('Borealis')
    await expect(form.getByLabel('End')).toHaveValue('15:00')
  })

  test('is not offered without the page for it, and past times are announced as such', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn([PAGE.bookings])
    await openSchedule(page)
    await grid(page).focus()
    await page.keyboard.press('n')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Home')
    await expect(spoken(page)).toHaveText('Aurora, 6:00 AM to 6:15 AM. This time has passed.')
  })
})
