import type { Locator } from '@playwright/test'
import { buildBooking, buildCompany, buildPod, buildSeries, buildTransaction } from '#server/testing/factories.ts'
import { buildSold, openAction, times } from './booking-page.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { whenListening } from './live-changes.ts'
import { moveClock } from './quiet.ts'
import { startTestServer } from './test-server.ts'

test.describe('A booking', () => {
  test('links to directions only when they are a web address', async ({ page, server, signIn }) => {
    await signIn([6])
    const script = 'javascript:document.title="run"'
    const [good, bad] = [await buildPod(server.db), await buildPod(server.db, { direction: script })]
    const [first, second] = [
      await buildBooking(server.db, { pod_id: good.id, ...times(businessDay(1)) }),
      await buildBooking(server.db, { pod_id: bad.id, ...times(businessDay(1)) }),
    ]
    await page.goto(`/booking/${first.id}`)
    const directions = page.getByRole('link', { name: 'Directions' })
    await expect(directions).toHaveAttribute('href', 'https://maps.example.com/?q=pod')
    await page.goto(`/booking/${second.id}`)
    await expect(page.getByText(script)).toBeVisible()
    await expect(directions).toHaveCount(0)
  })

  test('opens in a drawer over the list and as a page, with customer, place, price, note and history', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await buildTransaction(server.db, { booking_id: booking.id, amount: 20, currency: 'USD' })
    await page.goto('/booking')
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    for (const text of [
      'Ayesha Patel',
      'R 150.00',
      'USD 20.00 by PayFast',
      '9:00 AM - 10:00 AM',
      'South Africa Standard Time',
      'Rosebank',
      'Opens the door from 9:00 AM to 10:00 AM.',
    ]) {
      await expect(drawer).toContainText(text)
    }
    await expect(drawer.getByRole('link', { name: '+27 82 555 0101' })).toHaveAttribute('href', 'tel:+27825550101')
    await expect(drawer.getByRole('link', { name: 'ayesha@example.com' })).toHaveAttribute(
      'href',
      'mailto:ayesha@example.com',
    )
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Needs a ramp')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(drawer.getByRole('region', { name: 'Note' })).toContainText('Needs a ramp')
    await expect(drawer.getByRole('region', { name: 'History' })).toContainText('changed the note')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await page.goto(`/booking/${booking.id}`)
    await expect(page.getByRole('heading', { name: 'Booking', level: 1 })).toBeVisible()
    await expect(page.getByText('Needs a ramp')).toBeVisible()
    const [who, note] = ['Who', 'Note'].map((name) => page.getByRole('region', { name, exact: true }))
    const readTop = async (section: Locator | undefined) => (await section?.boundingBox())?.y ?? 0
    expect(await readTop(note), 'beside each other').toBe(await readTop(who))
    await page.setViewportSize(PHONE)
    expect(await readTop(note), 'below each other').toBeGreaterThan(await readTop(who))
    await expectNoSidewaysScroll(page)
  })

  test('leads from each payment to its ids, for staff who may see them', async ({ page, server, signIn }) => {
    await signIn([4, 6])
    const { booking } = await buildSold(server)
    const twice = await buildTransaction(server.db, { booking_id: booking.id, amount: 150.25 })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('list', { name: 'Payments' }).getByRole('link', { name: 'R 150.25' }).click()
    const payments = page.getByRole('table', { name: 'Transactions' })
    await expect(payments.getByRole('row')).toHaveCount(2)
    await expect(payments).toContainText(twice.checkout_id)
    const paidBack = server.db.updateTable('transactions').set({ status: 'refunded' })
    await paidBack.where('id', '=', twice.id).execute()
    await page.reload()
    await expect(payments).toContainText(/refunded, on \d{4}-\d\d-\d\d/)
    await signIn([6])
    await page.goto(`/booking/${booking.id}`)
    const list = page.getByRole('list', { name: 'Payments' })
    await expect(list).toContainText(/150\.25 by PayFast, .+, paid back .+refunded$/)
    await expect(list.getByRole('link')).toHaveCount(0)
  })

  test('opens from anywhere on its row or card, in a new tab with Ctrl, and not by selecting text', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await page.goto('/booking')
    const rows = page.getByRole('table', { name: 'Bookings' })
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    const time = rows.getByText('9:00 AM - 10:00 AM')
    await time.click()
    await expect(drawer).toContainText('Ayesha Patel')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(rows.getByRole('link', { name: 'Aurora' })).toBeFocused()
    await rows.getByRole('button', { name: /^History/ }).click()
    await page.getByRole('dialog', { name: /^History/ }).press('Escape')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), time.click({ modifiers: ['Control'] })])
    await expect(tab).toHaveURL(`/booking/${booking.id}`)
    await tab.close()
    const box = await time.boundingBox()
    if (!box) throw new Error('The time of the booking is not visible.')
    const y = box.y + 8
    await page.mouse.move(box.x + 2, y)
    await page.mouse.down()
    await page.mouse.move(box.x + 50, y, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('')
    await expect(drawer).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('list', { name: 'Bookings' }).getByText('9:00 AM - 10:00 AM').click()
    await expect(drawer).toContainText('Ayesha Patel')
  })

  test('closes its drawer with Back, and stays on the list', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    await buildSold(server)
    await page.goto('/companies')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Booking', exact: true }).click()
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await expect(drawer).toContainText('Ayesha Patel')
    await page.evaluate(() => history.back())
    await expect(drawer).toHaveCount(0)
    await expect(page).toHaveURL('/booking')
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL('/companies')
  })

  test('leads from its drawer to its page, and back, without reloading the portal', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await page.goto('/booking')
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.getByRole('dialog', { name: 'Booking' }).getByRole('link', { name: 'Open as a page' }).click()
    await expect(page.getByRole('heading', { name: 'Booking', level: 1 })).toBeFocused()
    await expect(page).toHaveURL(`/booking/${booking.id}`)
    await page.goBack()
    await expect(page).toHaveURL('/booking')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test('can be cancelled on a phone, with a reason for a refund that differs from the policy, and reinstated', async ({
    page,
    server,
    signIn,
  }) => {
    await page.setViewportSize(PHONE)
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back: 100 % until 2 h before the start.')
    await dialog.getByLabel('Give back').fill('100')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Reason for another amount').fill('Came late before')
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given back')
    await expect(page.getByRole('main')).toContainText('R 100.00')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Reinstate' }).click()
    await expect(page.getByRole('main')).not.toContainText('To be given back')
    await expect(page.getByRole('button', { name: 'Move' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('says who has the time when reinstating it is refused', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([6])
    const start_time = wallTime(businessDay(1), '09:00')
    const booking = await buildBooking(server.db, { status: 'Cancelled', start_time })
    const company_id = (await buildCompany(server.db, { name: 'Karoo Media' })).id
    await buildBooking(server.db, { pod_id: booking.pod_id, company_id, start_time })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Reinstate' }).click()
    await expect(page.getByRole('alert')).toContainText('already exists: Karoo Media, 9:00 AM - 10:00 AM.')
    await expect(page.getByRole('button', { name: 'Reinstate' })).toBeVisible()
  })

  test('says what reinstating it, and a no-show after its end, will cause', async ({ page }) => {
    // Nothing listens on that port; it is enough that a mail server is configured.
    const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pods@example.com' })
    try {
      const { booking } = await buildSold(server)
      // Where there is room for two short buttons and the words in one line.
      await page.setViewportSize({ width: 1440, height: 900 })
      await signInAs(page, server, [6])
      await page.goto(`${server.url}/booking/${booking.id}`)
      const actions = page.getByRole('region', { name: 'What can be done' })
      await actions.getByRole('button', { name: 'Cancel booking' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
      await expect(actions).toContainText(
        'This holds the time again, if it is still free. We will write to ayesha@example.com about it.',
      )
      const [button, words] = [actions.getByRole('button', { name: 'Reinstate' }), actions.getByText(/^This holds/)]
      expect((await words.boundingBox())?.x).toBe((await button.boundingBox())?.x)
      await expect(page.getByRole('region', { name: 'Code' })).toContainText('A cancelled booking has no code.')
      await expect(page.getByRole('img', { name: 'Booking code' })).toHaveCount(0)
      await actions.getByRole('button', { name: 'Reinstate' }).click()
      await expect(page.getByRole('img', { name: 'Booking code' })).toBeVisible()
      server.clock.set(instantAt(businessDay(1), '09:30'))
      await page.reload()
      await expect(actions).toContainText('No-show frees the rest of the time; nothing is given back.')
      server.clock.set(instantAt(businessDay(1), '12:00'))
      await page.reload()
      await expect(actions).toContainText('No-show only notes that nobody came; nothing is given back.')
      await actions.getByRole('button', { name: 'No-show' }).click()
      await expect(actions.getByRole('button', { name: 'They came after all' })).toBeVisible()
      await expect(actions).not.toContainText('if it is still free')
    } finally {
      await page.close()
      await server.close()
    }
  })

  test('says when cancelled that what is to be given back for a shorter time still is', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await server.db.updateTable('bookings').set({ price: 75, balance_due: -75 }).where('id', '=', booking.id).execute()
    server.clock.set(instantAt(businessDay(1), '08:00'))
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText(
      'The policy gives R 75.00 of R 150.00 back: R 75.00 that was overpaid, and for the rest it is too late',
    )
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('To be given backR 75.00')
  })

  test('takes off what was paid back already when it is cancelled', async ({ page, server, signIn }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await server.db.updateTable('bookings').set({ price: 75, balance_due: -75 }).where('id', '=', booking.id).execute()
    await buildTransaction(server.db, { booking_id: booking.id, amount: '75.00', status: 'refunded' })
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(page.getByRole('main')).toContainText('PaidR 150.00Paid backR 75.00')
    const paidBack = 'R 75.00 was paid back already.'
    await expect(dialog).toContainText(`${paidBack} The policy gives R 75.00 more of R 150.00 back: R 75.00 that was`)
    await dialog.getByText('Caused by us').click()
    await expect(dialog).toContainText(`${paidBack} All of R 75.00 is given back.`)
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given backR 75.00')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('main')).not.toContainText('To be given back')
  })

  test('says that cancelling gives nothing back once it is too late', async ({ page, server, signIn }) => {
    server.clock.set(instantAt(businessDay(1), '07:01'))
    await signIn([6])
    const { booking } = await buildSold(server)
    await page.goto(`/booking/${booking.id}`)
    await expect(page.getByText('Cancelling frees the time at once and gives nothing back.')).toBeVisible()
  })

  test('asks again when the policy gives back another amount by now than its cancellation shows', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/400/)
    server.clock.set(instantAt(businessDay(1), '06:59'))
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back')
    server.clock.set(instantAt(businessDay(1), '07:01'))
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('The policy gives R 0.00 of R 150.00 back: it is too late.')
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Reason for another amount').fill('Called in time')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given back')
    await expect(page.getByRole('main')).toContainText('R 150.00')
  })

  test('asks again when the customer has paid since its cancellation was opened', async ({ page, server, signIn }) => {
    expectConsoleErrors(/400/)
    await signIn([6])
    const { booking } = await buildSold(server)
    await server.db.updateTable('transactions').set({ status: 'pending' }).execute()
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('Nothing was paid, so nothing is given back.')
    await server.db.updateTable('transactions').set({ status: 'completed' }).execute()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back')
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Give back').fill('150')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given backR 150.00')
  })

  test('says in the form that cancels it that it has been cancelled meanwhile', async ({ page, server, signIn }) => {
    const { token } = await signIn([6])
    const { booking } = await buildSold(server)
    const [dialog] = await Promise.all([
      openAction(page, booking.id, 'Cancel booking', 'Cancel booking'),
      whenListening(page),
    ])
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back')
    const headers = { authorization: `Bearer ${token}` }
    const data = { reason: 'Customer asked', refund: 10, refundReason: 'Goodwill', version: 1 }
    const cancelled = await page.request.post(`/api/bookings/${booking.id}/cancel`, { headers, data })
    expect(cancelled.status()).toBe(200)
    await expect(dialog).toContainText('This booking has already been cancelled.')
    await expect(dialog).not.toContainText(/back|becomes free/)
  })

  test('keeps the reason that was chosen for its cancellation when it is taken off the list', async ({
    page,
    server,
    signIn,
  }) => {
    const { token } = await signIn([6, 8])
    const { booking } = await buildSold(server)
    const [dialog] = await Promise.all([
      openAction(page, booking.id, 'Cancel booking', 'Cancel booking'),
      whenListening(page),
    ])
    const reason = dialog.getByLabel('Reason', { exact: true })
    await reason.selectOption('Booked by mistake')
    const headers = { authorization: `Bearer ${token}`, 'if-match': '*' }
    const changed = await page.request.put('/api/booking-policy', { headers, data: { cancelReasons: ['Power cut'] } })
    expect(changed.status()).toBe(200)
    await expect(reason.getByRole('option', { name: 'Power cut' })).toHaveCount(1)
    await expect(reason).toHaveValue('Booked by mistake')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('Booked by mistake')
  })

  test('for a company shows whom to call and write to there', async ({ page, server, signIn }) => {
    const { _id } = await signIn([6])
    const contact = { contact_name: 'Nomsa Khumalo', phone: '+27 11 555 0170', email: 'nomsa@kudu.example' }
    const company = await buildCompany(server.db, { name: 'Kudu Software', ...contact })
    const booking = await buildBooking(server.db, { staff_id: _id, company_id: company.id, ...times(businessDay(1)) })
    await page.goto(`/booking/${booking.id}`)
    const who = page.getByRole('region', { name: 'Who' })
    await expect(who).toContainText('ContactNomsa Khumalo')
    await expect(who.getByRole('link')).toHaveText(['+27 11 555 0170', 'nomsa@kudu.example'])
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('dialog')).toContainText('for Kudu Software.')
  })

  test('follows the clock, and keeps the form for moving its series when it begins meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn([6, 9])
    const pod = await buildPod(server.db)
    const one = await buildSeries(server.db, { pod_id: pod.id, staff_id: _id, ...times(businessDay(1)) })
    const ofSeries = { pod_id: pod.id, staff_id: _id, series_id: one.series_id }
    await buildBooking(server.db, { ...ofSeries, ...times(businessDay(8)) })
    await page.clock.install()
    // Nothing else makes the portal read it again.
    await holdRoute(page, '**/api/live')
    server.clock.set(instantAt(businessDay(), '23:59'))
    await page.goto(`/booking/${one.id}`)
    const actions = page.getByRole('region', { name: 'What can be done' })
    await expect(actions.getByRole('button', { name: 'Move' })).toBeVisible()
    await expect(actions.getByRole('button', { name: 'Check in' })).toBeHidden()
    server.clock.set(instantAt(businessDay(1), '00:00'))
    await moveClock(page, '01:00')
    await expect(actions.getByRole('button', { name: 'Check in' })).toBeVisible()

    await actions.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Which bookings').selectOption('This one and those after it')
    const dialog = page.getByRole('dialog', { name: 'Move bookings of a series' })
    await dialog.getByLabel('Start').selectOption('12:15')
    server.clock.set(instantAt(businessDay(1), '09:00'))
    await moveClock(page, '01:00')
    await expect(page.getByRole('button', { name: 'Extend or shorten', includeHidden: true })).toHaveCount(1)
    await expect(dialog.getByLabel('Start')).toHaveValue('12:15')
  })

  test('shows what cannot be changed while it runs as clearly in a select as in a field', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    server.clock.set(instantAt(businessDay(1), '09:10'))
    await server.db.updateTable('bookings').set({ status: 'Processing' }).where('id', '=', booking.id).execute()
    const dialog = await openAction(page, booking.id, 'Extend or shorten', 'Extend or shorten')
    for (const label of ['Date', 'Start']) {
      await expect(dialog.getByLabel(label)).toBeDisabled()
      await expect(dialog.getByLabel(label)).toHaveCSS('opacity', '1')
    }
  })

  test('says when it does not exist, and when staff with only page 9 may not see it', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/40[34]/)
    await signIn([9])
    const { booking } = await buildSold(server)
    await page.goto(`/booking/${booking.id}`)
    await expect(page.getByText('Ask someone with access to Booking')).toBeVisible()
    await page.goto('/booking/01a1bc2f-bbf6-7a1c-9bb1-7f8a12125d7b')
    await expect(page.getByText('There is no such booking.')).toBeVisible()
    await page.getByRole('link', { name: 'Go to Corporate Booking' }).click()
    await expect(page).toHaveURL('/corporate-booking')
  })

  test('shows its history to staff with only page 9 who made it', async ({ page, server, signIn }) => {
    const { _id } = await signIn([9])
    const booking = await buildBooking(server.db, { staff_id: _id })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Add note' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Needs the projector')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const history = page.getByRole('region', { name: 'History' })
    await expect(history).toContainText('changed the note')
    await history.getByRole('button', { name: 'Show all' }).click()
    await expect(dialog).toContainText('Needs the projector')
  })
})
