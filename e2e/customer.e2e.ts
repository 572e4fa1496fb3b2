import { buildBooking, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const upcoming = {
  booking_date: '2030-01-06',
  start_time: new Date('2030-01-06T09:00:00.000Z'),
  end_time: new Date('2030-01-06T10:30:00.000Z'),
}

test.describe('A customer’s page', () => {
  test('shows contact details, bookings and payments, and opens from the search and the list of users', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', mobile: '+27 82 555 0199' })
    await buildBooking(server.db, { user_id: user.id, ...upcoming })
    const past = await buildBooking(server.db, { user_id: user.id, status: 'Completed', no_show_at: new Date() })
    // Shortly after midnight in the business time zone.
    const created_at = new Date('2026-11-20T22:30:00.000Z')
    await buildTransaction(server.db, { booking_id: past.id, amount: '1150.50', created_at })
    await buildTransaction(server.db, { booking_id: past.id, amount: '234183.00', created_at })
    await buildTransaction(server.db, { booking_id: past.id, amount: '50.25', status: 'refunded', created_at })
    const place = await server.db
      .selectFrom('locations')
      .select('name')
      .where('id', '=', past.location_id)
      .executeTakeFirstOrThrow()
    await page.goto('/user-details')
    await page.getByPlaceholder('Search...').fill('zanele')
    await page
      .getByRole('option', { name: /^Zanele Dlamini/ })
      .first()
      .click()
    await expect(page).toHaveURL(`/user-details/${user.id}`)
    await page.goto('/user-details')
    await page.getByRole('link', { name: 'Zanele Dlamini' }).click()
    await expect(page).toHaveURL(`/user-details/${user.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Zanele Dlamini')
    await expect(page.getByRole('link', { name: '+27 82 555 0199' })).toHaveAttribute('href', 'tel:+27825550199')
    await expect(page.getByRole('link', { name: user.email })).toHaveAttribute('href', `mailto:${user.email}`)
    await expect(page.getByRole('link', { name: 'No-shows: 1' })).toHaveAttribute(
      'href',
      `/booking?user=${user.id}&when=no-show`,
    )
    await expect(page.getByRole('table', { name: 'Upcoming bookings' }).getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('table', { name: 'Past and cancelled bookings' }).getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('R 1 150.50')
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('2026-11-21')
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText(place.name)
    const linesOfPaid = await page
      .locator('dt', { hasText: /^Paid$/ })
      .locator('+ dd')
      .evaluate((paid) => {
        const range = document.createRange()
        range.selectNodeContents(paid)
        return range.getClientRects().length
      })
    // An amount that is broken looks like another.
    expect(linesOfPaid).toBe(1)
    await expect(page.locator('dt', { hasText: 'Paid back' }).locator('+ dd')).toHaveText('R 50.25')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show in Bookings: Upcoming bookings' }).click()
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Book for Zanele' }).click()
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Zanele Dlamini')
  })

  test('starts over for another customer: neither an open form nor the place in a table goes along', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([5, 6])
    const [zanele, johan] = [
      await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', note: 'Pays by card' }),
      await buildUser(server.db, { firstname: 'Johan', lastname: 'Botha' }),
    ]
    for (const { id } of [zanele, johan]) {
      for (let day = 10; day < 16; day += 1) {
        const start_time = new Date(`2026-01-${day}T09:00:00.000Z`)
        await buildBooking(server.db, { user_id: id, start_time, status: 'Completed' })
      }
    }
    const past = page.getByRole('region', { name: 'Past and cancelled bookings' })
    await page.goto(`/user-details/${johan.id}`)
    await expect(past.getByText(/1.5 of 6/)).toBeVisible()
    await page.getByPlaceholder('Search...').fill('zanele')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/user-details/${zanele.id}`)
    await past.getByRole('button', { name: 'Next page' }).click()
    await expect(past.getByText(/6 of 6/)).toBeVisible()
    await page.getByRole('button', { name: 'Edit note' }).click()
    await expect(page.getByRole('dialog', { name: 'Note' })).toBeVisible()
    await page.evaluate(() => history.back())
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Johan Botha')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(past.getByText(/1.5 of 6/)).toBeVisible()
  })

  test('keeps the page of a table when one returns from its booking, and stays where it is scrolled to', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4, 5, 6])
    const { id } = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    for (let day = 10; day < 16; day += 1) {
      const start_time = new Date(`2026-01-${day}T09:00:00.000Z`)
      await buildBooking(server.db, { user_id: id, start_time, status: 'Completed' })
    }
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.goto('/user-details')
    await page.getByRole('link', { name: 'Zanele Dlamini' }).click()
    const past = page.getByRole('region', { name: 'Past and cancelled bookings' })
    await past.getByRole('button', { name: 'Next page' }).click()
    await expect(past.getByText(/6 of 6/)).toBeVisible()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await past.getByRole('link', { name: '2026-01-10' }).click()
    await expect(page).toHaveURL(/\/booking\//)
    await page.goBack()
    await expect(past.getByText(/6 of 6/)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/user-details')
  })

  test('shows dates in the business time zone', async ({ page, server, signIn }) => {
    await signIn([4, 5, 6])
    // Half past midnight in Johannesburg.
    const created_at = new Date('2026-11-20T22:30:00.000Z')
    const user = await buildUser(server.db, { created_at })
    const booking = await buildBooking(server.db, { user_id: user.id, status: 'Completed' })
    await buildTransaction(server.db, { booking_id: booking.id, created_at })
    await page.goto(`/user-details/${user.id}`)
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('2026-11-21')
    await expect(page.getByRole('region', { name: 'Contact' })).toContainText('2026-11-21')
  })

  test('counts a booking as cancelled when a colleague cancels it', async ({ page, server, signIn }) => {
    const { token } = await signIn([5, 6])
    const user = await buildUser(server.db)
    const { id } = await buildBooking(server.db, { user_id: user.id, ...upcoming })
    const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await page.goto(`/user-details/${user.id}`)
    await listening
    const contact = page.getByRole('region', { name: 'Contact' })
    await expect(contact).toContainText(/Upcoming1.*Cancelled0/)
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${server.url}/api/user/cancel-booking/${id}`, { method: 'PUT', headers })
    expect(response.status).toBe(200)
    await expect(contact).toContainText(/Upcoming0.*Cancelled1/)
  })

  test('goes to the page before when the last booking of a page is cancelled', async ({ page, server, signIn }) => {
    const { token } = await signIn([5, 6])
    const user = await buildUser(server.db)
    const bookings: string[] = []
    for (let day = 1; day <= 6; day++) {
      const start_time = new Date(Date.UTC(2030, 0, day, 9))
      bookings.push((await buildBooking(server.db, { user_id: user.id, start_time })).id)
    }
    const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await page.goto(`/user-details/${user.id}`)
    await listening
    await page.getByRole('button', { name: 'Page 2' }).click()
    const rows = page.getByRole('table', { name: 'Upcoming bookings' }).locator('tbody').getByRole('row')
    await expect(rows).toHaveCount(1)
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${server.url}/api/user/cancel-booking/${bookings.at(-1)}`, { method: 'PUT', headers })
    await expect(rows).toHaveCount(5)
  })

  test('blocks the customer, shows a colleague who did so and why, and unblocks the customer', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([5], { firstname: 'Thandi', lastname: 'Nkosi' })
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await buildBooking(server.db, { user_id: user.id, ...upcoming })
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Block Zanele Dlamini' })
    await expect(dialog).toContainText('1 booking is still to come.')
    await dialog.getByLabel('Reason').fill('Left the pod dirty, twice')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(page.getByText('Inactive', { exact: true })).toBeVisible()
    await signIn([5])
    await page.reload()
    await expect(page.getByText(/^Blocked on .* by Thandi Nkosi: Left the pod dirty, twice$/)).toBeVisible()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await expect(page.getByText('active', { exact: true })).toBeVisible()
    await expect(page.getByText('Left the pod dirty, twice')).toHaveCount(0)
  })

  test('keeps the reason in the form when a colleague has blocked the customer meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([5])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Block Zanele Dlamini' })
    await dialog.getByLabel('Reason').fill('Left the pod dirty, twice')
    await server.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(dialog.getByText('This customer is blocked already. Your reason was not saved.')).toBeVisible()
    await expect(dialog.getByLabel('Reason')).toHaveValue('Left the pod dirty, twice')
  })

  test('is deleted and erased on the same page when somebody asks for that', async ({ page, server, signIn }) => {
    await signIn([5])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.setViewportSize(PHONE)
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete user' })
    await expect(question).toContainText('No bookings are still to come.')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('User deleted successfully')).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Block|Delete)$/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Erase personal data' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Erased customer')
    // At once, not only when it would go by itself.
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0, { timeout: 3_000 })
    await expectNoSidewaysScroll(page)
  })

  test('erases a deleted customer’s personal data after a question, and then neither restores nor shows them', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([5, 6, 8])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', deleted_at: new Date() })
    const booking = await buildBooking(server.db, { user_id: user.id, ...upcoming })
    await page.setViewportSize(PHONE)
    await page.goto('/user-details?status=deleted')
    await page.getByRole('link', { name: 'Zanele Dlamini' }).click()
    await page.getByRole('button', { name: 'Erase personal data' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase personal data' })
    await expect(dialog).toContainText('Bookings and payments stay')
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
    await expect(dialog.getByText('This customer has bookings to come.')).toBeVisible()
    await server.db.updateTable('bookings').set({ status: 'Cancelled' }).where('id', '=', booking.id).execute()
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
    await expect(page.getByText('The personal data have been erased')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Erased customer')
    await expect(page.getByText('Erased', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Restore|Erase personal data)$/ })).toHaveCount(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('dialog')).toContainText('erased the customer’s personal data')
    await page.goto('/user-details?status=deleted')
    await expect(page.getByText('No deleted users here')).toBeVisible()
    await page.goto('/activity')
    await page.getByRole('link', { name: 'Erased customer' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Erased customer')
  })

  test('says before erasing that money is still to be given back', async ({ page, server, signIn }) => {
    await signIn([5, 6])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', deleted_at: new Date() })
    await buildBooking(server.db, { user_id: user.id, status: 'Cancelled', balance_due: -75.5 })
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Erase personal data' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase personal data' })
    await expect(dialog).toContainText('Money is still to be given back for 1 booking.')
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'Show it' }).click()
    await expect(page.getByRole('table').getByRole('row').last()).toContainText('R 75.50 back')
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Zanele Dlamini')
  })

  test('shows a customer as erased when the response to erasing them was lost', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([5])
    const user = await buildUser(server.db, { firstname: 'Zanele', deleted_at: new Date() })
    await page.goto(`/user-details/${user.id}`)
    await page.route('**/api/customers/*/erase', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Erase personal data' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase personal data' })
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Erased customer')
  })

  test('saves a note, and resolves a conflict with a note that a colleague wrote meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([5])
    const user = await buildUser(server.db)
    await page.setViewportSize(PHONE)
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Add note' }).click()
    const dialog = page.getByRole('dialog', { name: 'Note' })
    await dialog.getByLabel('Note').fill('Prefers a quiet pod')
    await server.db.updateTable('users').set({ note: 'Pays by invoice' }).where('id', '=', user.id).execute()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('radio', { name: /Prefers a quiet pod/ }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Prefers a quiet pod')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(page.getByText('Prefers a quiet pod')).toBeVisible()
  })

  test('corrects contact details, which the list shows at once, and undoes that', async ({ page, server, signIn }) => {
    await signIn([5])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', email: 'zanelle@mail.example' })
    await page.goto(`/user-details/${user.id}`)
    const contact = page.getByRole('region', { name: 'Contact' })
    await contact.getByRole('button', { name: 'Edit contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit contact details' })
    await expectAccessible(page)
    await dialog.getByLabel('Email').fill('zanele@mail.example')
    await dialog.getByLabel('Mobile').fill('+27 82 555 0177')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(contact.getByRole('link', { name: 'zanele@mail.example' })).toBeVisible()
    await expect(contact.getByRole('link', { name: '+27 82 555 0177' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(contact.getByRole('link', { name: 'zanelle@mail.example' })).toBeVisible()
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('dialog', { name: /History/ })).toContainText('zanele@mail.example')
  })

  test('keeps what was typed when another customer has the address, or a colleague was faster', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([5])
    const other = await buildUser(server.db)
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.setViewportSize(PHONE)
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('button', { name: 'Edit contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit contact details' })
    await dialog.getByLabel('Email').fill(other.email)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription(/Another customer has this email address/)
    await dialog.getByLabel('Email').fill('zanele@mail.example')
    await server.db.updateTable('users').set({ lastname: 'Mokoena' }).where('id', '=', user.id).execute()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('radio', { name: /Mokoena/ }).check()
    await dialog.getByRole('radio', { name: /zanele@mail.example/ }).check()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Zanele Mokoena')
    await expect(page.getByRole('link', { name: 'zanele@mail.example' })).toBeVisible()
  })

  test('says when the customer does not exist, and loads again on Retry after a failure', async ({
    page,
    signIn,
    server,
  }) => {
    expectConsoleErrors(/404|500/)
    await signIn([5])
    await page.goto('/user-details/019a9c00-0000-7000-8000-00000000dead')
    await expect(page.getByText('There is no customer with the id')).toBeVisible()
    await page.getByRole('link', { name: 'All customers' }).click()
    await expect(page).toHaveURL('/user-details')
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    const pattern = `**/api/customers/${user.id}`
    await page.route(pattern, (route) => route.fulfill({ status: 500, json: { message: 'Broken', code: 'internal' } }))
    await page.goto(`/user-details/${user.id}`)
    await expect(page.getByText('The customer could not be loaded')).toBeVisible()
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Zanele Dlamini')
  })
})
