import { buildBooking, buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import { at, book, bookAgain, DATE, link } from './corporate-booking-form.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

test.describe('Booking on behalf of others', () => {
  test('books for a customer found by phone number, from a link that fills in pod and time', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn([9])
    const pod = await buildPod(server.db, { title: 'Quiet room' })
    const user = await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube', mobile: '+27 72 555 0158' })
    await page.goto(link(pod.id))
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Quiet room')
    await expect(page.getByRole('button', { name: /Time Slots/ })).toHaveText(/9:00 AM - 10:00 AM/)
    await page.getByLabel('Booked for').selectOption('A customer')
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page.getByText('Customer is required')).toBeVisible()
    await choose(page.getByRole('combobox', { name: 'Customer' }), '072 555 0158', /Naledi Dube/)
    await page.getByLabel('Note for the visit').fill('Needs the projector')
    await expectAccessible(page)
    await book(page)
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    const [booking] = await server.db.selectFrom('bookings').selectAll().execute()
    expect(booking).toMatchObject({ user_id: user.id, made_by_staff_id: _id, note: 'Needs the projector' })
  })

  test('offers the customer who has the number that is typed for a new one', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db)
    const mobile = '+27 72 555 0158'
    const user = await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube', mobile })
    await buildUser(server.db, { firstname: 'Sipho', lastname: 'Dube', mobile, is_blocked: true })
    await page.goto(link(pod.id))
    await page.getByLabel('Booked for').selectOption('A new customer')
    await page.getByLabel('First name').fill('Nal')
    const known = page.getByRole('group', { name: 'Customers with this number' })
    await page.getByLabel('Mobile').fill('072 555 0')
    await waitUntilQuiet(page)
    await expect(known).toHaveCount(0)
    await page.getByLabel('Mobile').fill('072 555 0158')
    await expect(known).toContainText('Sipho Dube is blocked')
    await expectAccessible(page)
    await known.getByRole('button', { name: 'Book for Naledi Dube' }).click()
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Naledi Dube')
    await book(page)
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    const [booking] = await server.db.selectFrom('bookings').selectAll().execute()
    expect(booking?.user_id).toBe(user.id)
    expect(await server.db.selectFrom('users').selectAll().execute()).toHaveLength(2)
  })

  test('does not book at another price than the one that was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([9])
    const pod = await buildPod(server.db, { rate: '2.5' })
    await page.goto(link(pod.id))
    await page.getByLabel('Booked for').selectOption('A new customer')
    await page.getByLabel('First name').fill('Zanele')
    await page.getByLabel('Mobile').fill('082 555 0101')
    const summary = page.getByRole('region', { name: 'Summary' })
    await expect(summary).toContainText('The customer owes R 150.00.')
    await server.db.updateTable('pods').set({ rate: '3' }).where('id', '=', pod.id).execute()
    await book(page)
    await expect(page.getByText('The price has changed since it was shown.')).toBeVisible()
    await expect(summary).toContainText('The customer owes R 180.00.')
    await bookAgain(page)
    const [booking] = await server.db.selectFrom('bookings').selectAll().execute()
    expect(booking).toMatchObject({ price: '180.00' })
  })

  test('does not book when the price could not be loaded, before Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([9])
    const pod = await buildPod(server.db, { rate: '2.5' })
    const company = await buildCompany(server.db)
    const failing = '**/transactions/getdiscount'
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    await page.goto(link(pod.id, { company: company.id }))
    const summary = page.getByRole('region', { name: 'Summary' })
    await expect(summary.getByRole('alert')).toContainText('The price could not be loaded')
    await book(page)
    await expect(page.getByText('Nothing is booked before its price is shown.')).toBeVisible()
    await page.unroute(failing)
    await summary.getByRole('button', { name: 'Retry' }).click()
    await expect(summary).toContainText('The company owes R 150.00.')
    await bookAgain(page)
  })

  test('says when it is unknown whether mails can be sent, and finds out on Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    await signIn([9])
    const pod = await buildPod(server.db)
    const failing = '**/message-kinds'
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    await page.goto(link(pod.id))
    const main = page.getByRole('main')
    await expect(main).toContainText('Whether mails are sent from here could not be loaded.')
    await page.unroute(failing)
    await main.getByRole('button', { name: 'Retry' }).click()
    await expect(main).toContainText('No mail server is set here.')
  })

  test('books for a new customer, and shows errors beside the fields', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([9])
    const pod = await buildPod(server.db)
    await buildUser(server.db, { email: 'zanele@mail.example' })
    await page.goto(link(pod.id))
    await page.getByLabel('Booked for').selectOption('A new customer')
    await page.getByLabel('First name').fill('Zanele')
    await book(page)
    await expect(page.getByText('Email or mobile is required')).toBeVisible()
    await page.getByLabel('Email').fill('zanele@mail.example')
    await page.getByRole('button', { name: 'Create Booking' }).click()
    const form = page.getByRole('form', { name: 'Corporate Booking' })
    await expect(form.getByText('A customer with this email address is there already.').first()).toBeVisible()
    await expect(page.getByLabel('First name')).toHaveValue('Zanele')
    await page.getByLabel('Email').fill('zanele.m@mail.example')
    await bookAgain(page)
    const made = await server.db
      .selectFrom('users')
      .select(['firstname', 'email'])
      .where('firstname', '=', 'Zanele')
      .execute()
    expect(made).toEqual([{ firstname: 'Zanele', email: 'zanele.m@mail.example' }])
  })

  test('books for a company that the link fills in', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db, { rate: '2.5' })
    await server.db.updateTable('pricing').set({ discount_minutes: 10 }).execute()
    const company = await buildCompany(server.db, { name: 'Kudu Software' })
    await page.goto(link(pod.id, { company: company.id }))
    await expect(page.getByRole('combobox', { name: 'Company' })).toHaveValue('Kudu Software')
    await expect(page.getByText('The company owes R 125.00.')).toBeVisible()
    await page.getByRole('switch', { name: 'Repeat' }).check()
    await expect(page.getByText('The company owes R 125.00 for each booking in this pod.')).toBeVisible()
    await page.getByRole('switch', { name: 'Repeat' }).uncheck()
    await book(page)
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    const [booking] = await server.db.selectFrom('bookings').select('company_id').execute()
    expect(booking).toEqual({ company_id: company.id })
  })

  test('offers the nearest free times and other pods when the time has been taken meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/, /400/)
    await signIn([9])
    const location = await buildLocation(server.db, { name: 'Rosebank Link, on the third floor' })
    const pod = await buildPod(server.db, { location_id: location.id, capacity: 4 })
    await buildPod(server.db, { title: 'Next door, behind the library', location_id: location.id, capacity: 1 })
    const beside = 'Next door, behind the library, Rosebank Link, on the third floor, only 1 seat'
    await page.goto(link(pod.id))
    await expect(page.getByText('Nothing is taken on this day.')).toBeVisible()
    await page.getByLabel('Note for the visit').fill('Quiet, please')
    await buildBooking(server.db, { pod_id: pod.id, start_time: at('09:30'), end_time: at('10:30') })
    const desktop = page.viewportSize()
    await page.setViewportSize({ width: 1280, height: 600 })
    await book(page)
    const [header, failure] = [page.getByRole('banner'), page.getByText(/^Error: An error occurred while creating/)]
    await expect(failure).toBeInViewport()
    const headerEnd = await header.evaluate((element) => element.getBoundingClientRect().bottom)
    await expect
      .poll(() => failure.evaluate((element) => element.getBoundingClientRect().top))
      .toBeGreaterThanOrEqual(headerEnd)
    const free = page.getByRole('region', { name: 'Free instead' })
    await expect(free.getByRole('button')).toHaveText(['8:30 AM - 9:30 AM', /AM/, /AM/, beside])
    await expect(page.getByText('Taken: 9:30 AM - 10:30 AM.')).toBeVisible()
    await expect(page.getByLabel('Note for the visit')).toHaveValue('Quiet, please')
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    if (desktop) await page.setViewportSize(desktop)
    // A failure after a click is said too.
    await page.route('**/api/product/getall?*', (route) =>
      route.fulfill({ status: 400, json: { message: 'Not now.', code: 'invalid' } }),
    )
    await free.getByRole('button', { name: beside }).click()
    await expect(page.getByRole('region', { name: 'Messages', exact: true })).toContainText('Not now.')
    await page.unroute('**/api/product/getall?*')
    await free.getByRole('button', { name: '8:30 AM - 9:30 AM' }).click()
    await expect(page.getByRole('button', { name: /Time Slots/ })).toHaveText(/8:30 AM - 9:30 AM/)
    await bookAgain(page)
  })

  test('asks for a customer when the one of an earlier booking is blocked', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const user = await buildUser(server.db, { is_blocked: true })
    const booking = await buildBooking(server.db, { user_id: user.id, start_time: at('09:00'), end_time: at('10:00') })
    await page.goto(`/corporate-booking?again=${booking.id}&date=2099-01-06`)
    await expect(page.getByLabel('Booked for').locator('option:checked')).toHaveText('A customer')
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page.getByText('Customer is required')).toBeVisible()
    expect(await server.db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
  })

  test('keeps what was typed when a customer who was not found is looked for again', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/404/)
    await signIn([9])
    const pod = await buildPod(server.db)
    await page.goto(link(pod.id, { customer: pod.id }))
    const note = page.getByLabel('Note for the visit')
    await note.fill('Needs the projector')
    const missed = page.waitForResponse(/\/get-user\//, { timeout: 1_000 }).catch(() => undefined)
    // The browser asks again for what it could not load when the tab is looked at again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    expect(await missed).toBeUndefined()
    await expect(note).toHaveValue('Needs the projector')
  })

  test('asks before another link, or Back, begins a new form', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db, { title: 'Quiet room' })
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
    const menuLink = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Corporate Booking' })
    const note = page.getByLabel('Note for the visit')
    await page.goto(link(pod.id))
    await note.fill('Needs the projector')
    await menuLink.click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Quiet room')
    await expect(note).toHaveValue('Needs the projector')
    await menuLink.click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/corporate-booking')
    await expect(note).toHaveValue('')
    await note.fill('Needs a ramp')
    await page.evaluate(() => history.back())
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page).toHaveURL('/corporate-booking')
    await expect(note).toHaveValue('Needs a ramp')
  })

  test('books another free pod at the same time as an existing booking', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const location = await buildLocation(server.db, { name: 'Rosebank' })
    const pod = await buildPod(server.db, { title: 'Aurora', location_id: location.id })
    await buildPod(server.db, { title: 'Beacon', location_id: location.id })
    const cedar = await buildPod(server.db, { title: 'Cedar', location_id: location.id })
    const booking = await buildBooking(server.db, { pod_id: pod.id, start_time: at('09:00'), end_time: at('10:00') })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Book again' }).click()
    await page.getByRole('menuitem', { name: 'Another pod at the same time…' }).click()
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Beacon')
    await expect(page.getByRole('button', { name: /Time Slots/ })).toHaveText(/9:00 AM - 10:00 AM/)
    await page
      .getByRole('group', { name: 'Free at this time' })
      .getByRole('button', { name: 'Cedar, Rosebank' })
      .click()
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Cedar')
    await book(page, 'work')
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    const made = await server.db
      .selectFrom('bookings')
      .select('pod_id')
      .where('id', '=', new URL(page.url()).searchParams.get('bookingId'))
      .executeTakeFirst()
    expect(made?.pod_id).toBe(cedar.id)
  })

  test('keeps the pod that was chosen last, though an earlier choice comes later', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const location = await buildLocation(server.db, { name: 'Rosebank' })
    const pod = await buildPod(server.db, { title: 'Aurora', location_id: location.id })
    for (const title of ['Beacon', 'Cedar', 'Dune']) await buildPod(server.db, { title, location_id: location.id })
    const booking = await buildBooking(server.db, { pod_id: pod.id, start_time: at('09:00'), end_time: at('10:00') })
    await page.goto(`/corporate-booking?beside=${booking.id}&date=${DATE}&start=09:00&end=10:00`)
    const offers = page.getByRole('group', { name: 'Free at this time' })
    const dune = offers.getByRole('button', { name: 'Dune, Rosebank' })
    await expect(dune).toBeVisible()
    const id = (await server.db.selectFrom('pods').select('id').where('title', '=', 'Cedar').executeTakeFirstOrThrow())
      .id
    const release = await holdRoute(page, `**/api/product/getall?search=${id}*`)
    await offers.getByRole('button', { name: 'Cedar, Rosebank' }).click()
    await dune.click()
    const field = page.getByRole('combobox', { name: 'Pod' })
    await expect(field).toHaveValue('Dune')
    const late = page.waitForResponse((response) => response.url().includes(id))
    await release()
    await (await late).finished()
    await waitUntilQuiet(page)
    await expect(field).toHaveValue('Dune')
  })

  test('says when no other pod is free at the time of a booking', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const booking = await buildBooking(server.db, { start_time: at('09:00'), end_time: at('10:00') })
    await page.goto(`/corporate-booking?beside=${booking.id}&date=${DATE}&start=09:00&end=10:00`)
    await expect(page.getByText('No other pod is free at this time. Choose a pod and another time.')).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('')
    await expect(page.getByRole('button', { name: /Time Slots/ })).toHaveText(/9:00 AM - 10:00 AM/)
  })

  test('books again with the purpose, customer and time of an earlier booking, on a phone', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6, 9])
    const pod = await buildPod(server.db, { title: 'Quiet room' })
    const user = await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube' })
    const earlier = await buildBooking(server.db, { pod_id: pod.id, user_id: user.id, purpose: 'work' })
    await page.setViewportSize(PHONE)
    await page.goto(`/corporate-booking?again=${earlier.id}&date=${DATE}`)
    await expect(page.getByLabel('Purpose')).toHaveValue('work')
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Naledi Dube')
    await expect(page.getByRole('button', { name: /Time Slots/ })).toHaveText(/9:00 AM - 10:00 AM/)
    await expectNoSidewaysScroll(page)
    // Until what is taken has loaded, the form asks to press again.
    await expect(page.getByText('Nothing is taken on this day.')).toBeVisible()
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })
})
