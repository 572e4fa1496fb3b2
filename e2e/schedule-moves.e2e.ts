import type { Page } from '@playwright/test'
import { PAGE } from '#contract/pages.ts'
import { buildBooking, buildUser } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, signInAs, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { booking, buildDay, grid, openSchedule, spoken } from './schedule-day.ts'
import { startTestServer, type TestServer } from './test-server.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('Moving a booking on the schedule', () => {
  /** Returns the point in the middle of a booking, or at its right edge. */
  async function pointAt(page: Page, name: RegExp, edge = false) {
    const box = await booking(page, name).boundingBox()
    if (!box) throw new Error(`${name} is not drawn`)
    return { x: edge ? box.x + box.width - 2 : box.x + box.width / 2, y: box.y + box.height / 2, hour: box.width, box }
  }

  /** Walks by keyboard from now to the booking of Zanele. */
  async function walkToZanele(page: Page) {
    await grid(page).focus()
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
  }

  const findRow = (server: TestServer, id: string) =>
    server.db
      .selectFrom('bookings')
      .select(['pod_id', 'start_time', 'end_time', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('works by dragging to another pod, shows conflicts, and is reversed by Undo', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, aurora, borealis } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    // Johan's time is taken, so this is a conflict.
    await page.mouse.move(from.x + from.hour * 2, from.y, { steps: 6 })
    await expect(grid(page).getByText('Conflict with Johan Botha, 12:00 PM to 1:00 PM')).toBeAttached()
    await page.mouse.move(from.x + from.hour * 2, from.y + 48, { steps: 6 })
    await expect(grid(page).getByText('12:00 PM to 1:00 PM', { exact: true })).toBeAttached()
    await page.mouse.up()
    const inBorealis = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /Zanele/ })
    await expect(inBorealis).toHaveAccessibleName('Zanele Dlamini, Confirmed, 12:00 PM to 1:00 PM')
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 12:00 PM to 1:00 PM')).toBeVisible()
    expect(await findRow(server, ten.id)).toMatchObject({
      pod_id: borealis.id,
      start_time: wallTime(businessDay(), '12:00'),
    })
    await page.keyboard.press('Control+z')
    await expect(
      grid(page)
        .getByRole('row', { name: /Aurora/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toHaveAccessibleName('Zanele Dlamini, Confirmed, 10:00 AM to 11:00 AM')
    expect(await findRow(server, ten.id)).toMatchObject({
      pod_id: aurora.id,
      start_time: wallTime(businessDay(), '10:00'),
    })
  })

  test('shows what would follow whole, also in the last row and at the end of the day', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await openSchedule(page)
    await walkToZanele(page)
    await page.keyboard.press('m')
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await expect(spoken(page)).toHaveText('Comet, 10:00 AM to 11:00 AM. Free.')
    await expect(grid(page).getByText('10:00 AM to 11:00 AM', { exact: true })).toBeInViewport({ ratio: 1 })
    for (let quarter = 0; quarter < 52; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Comet, 11:00 PM to 12:00 AM. Free.')
    await expect(grid(page).getByText('11:00 PM to 12:00 AM', { exact: true })).toBeInViewport({ ratio: 1 })
  })

  test('is put back by Escape while it is dragged', async ({ page, server, signIn }) => {
    const { ten } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 48, { steps: 6 })
    const preview = grid(page).getByText('10:00 AM to 11:00 AM', { exact: true })
    await expect(preview).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(preview).toHaveCount(0)
    await expect(spoken(page)).toHaveText('Put back.')
    await page.mouse.move(from.x, from.y + 50)
    await page.mouse.up()
    await expect(preview).toHaveCount(0)
    expect(await findRow(server, ten.id)).toMatchObject({ pod_id: ten.pod_id, version: ten.version })
  })

  test('works by keyboard alone: moving, meeting a conflict, extending and undoing', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    await walkToZanele(page)
    await page.keyboard.press('m')
    await expect(spoken(page)).toHaveText('Moving Zanele Dlamini. Enter drops it, Escape puts it back.')
    for (let quarter = 0; quarter < 5; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(
      'Aurora, 11:15 AM to 12:15 PM. Conflict with Johan Botha, 12:00 PM to 1:00 PM.',
    )
    await page.keyboard.press('Enter')
    await expect(spoken(page)).toHaveText(/^It cannot be dropped here\./)
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText('Borealis, 11:15 AM to 12:15 PM. Free.')
    await page.keyboard.press('Escape')
    await expect(spoken(page)).toHaveText('Put back.')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)

    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Zanele Dlamini is now 10:00 AM to 11:30 AM')).toBeVisible()
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:30 AM/)
    expect(await findRow(server, ten.id)).toMatchObject({ end_time: wallTime(businessDay(), '11:30') })
    await page.keyboard.press('Control+z')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    await expect(spoken(page)).toHaveText(/^Borealis, 10:00 AM to 11:15 AM\. Free\./)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
  })

  test('requires a reason outside opening hours, as a new booking does, and records the reason', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, borealis } = await buildDay(server)
    const weekdays = [1, 2, 3, 4, 5, 6, 7]
    await server.db
      .insertInto('opening_hours')
      .values(
        weekdays.map((weekday) => ({
          pod_id: borealis.id,
          location_id: null,
          weekday,
          opens: 12 * 60,
          closes: 17 * 60,
        })),
      )
      .execute()
    await signIn()
    await openSchedule(page)
    await walkToZanele(page)
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText(
      'Borealis, 10:00 AM to 11:00 AM. Outside opening hours, 12:00 PM to 5:00 PM. You will be asked for a reason.',
    )
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Move booking' })
    await expect(question).toContainText('Move the booking of Zanele Dlamini to Borealis')
    await expect(question).toContainText(`Open 12:00 PM – 5:00 PM on ${businessDay()}.`)
    await expect(question.getByRole('button', { name: 'Move anyway' })).toBeDisabled()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Put back' }).click()
    const inRow = (pod: RegExp, name: RegExp) =>
      grid(page).getByRole('row', { name: pod }).getByRole('gridcell', { name })
    await expect(inRow(/Aurora/, /Zanele/)).toBeVisible()

    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 48, { steps: 6 })
    await expect(
      grid(page).getByText('Outside opening hours, 12:00 PM to 5:00 PM. You will be asked for a reason.'),
    ).toBeAttached()
    await page.mouse.up()
    await question.getByLabel('Reason to book outside opening hours').fill('Aurora leaks')
    await question.getByRole('button', { name: 'Move anyway' }).click()
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 10:00 AM to 11:00 AM')).toBeVisible()
    await expect(inRow(/Borealis/, /Zanele/)).toBeVisible()
    expect(await findRow(server, ten.id)).toMatchObject({ pod_id: borealis.id })

    await page.mouse.click(from.x + from.hour * 0.8, from.y + 48)
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form).toContainText('Outside opening hours, 12:00 PM to 5:00 PM.')
    const book = form.getByRole('button', { name: 'Book anyway' })
    await expect(book).toBeDisabled()
    await form.getByLabel('Reason to book outside opening hours').fill('Evening class')
    await expectAccessible(page)
    await book.click()
    await expect(form).toHaveCount(0)
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /11:15 AM/ }),
    ).toBeVisible()
    const rows = await server.db
      .selectFrom('audit')
      .select(['action', 'reason'])
      .where('entity', '=', 'booking')
      .orderBy('action')
      .execute()
    expect(rows).toEqual([
      { action: 'create', reason: 'Outside opening hours: Evening class' },
      { action: 'move', reason: 'Outside opening hours: Aurora leaks' },
    ])
  })

  test('lets staff who only view Booking make a booking within the opening hours alone', async ({
    page,
    server,
    signIn,
  }) => {
    const { dock } = await buildDay(server)
    await server.db
      .insertInto('opening_hours')
      .values(
        [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
          pod_id: null,
          location_id: dock.id,
          weekday,
          opens: 9 * 60,
          closes: 17 * 60,
        })),
      )
      .execute()
    await signIn([PAGE.bookings, PAGE.corporateBooking], { view_only_pages: [PAGE.bookings] })
    await openSchedule(page)
    await grid(page).focus()
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Start').selectOption('18:00')
    await form.getByLabel('End').selectOption('19:00')
    await expect(form).toContainText('Choose another time.')
    await expect(form.getByLabel('Reason to book outside opening hours')).toHaveCount(0)
    await expect(form.getByRole('button', { name: 'Book', exact: true })).toBeDisabled()
    await form.getByLabel('Start').selectOption('15:00')
    await form.getByLabel('End').selectOption('16:00')
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(form).toHaveCount(0)
    await expect(booking(page, /3:00 PM to 4:00 PM/)).toBeVisible()
  })

  test('needs confirmation when the price changes, and puts the booking back without confirmation', async ({
    page,
    server,
    signIn,
  }) => {
    const { aurora, comet } = await buildDay(server)
    await server.db.updateTable('pods').set({ rate: '5' }).where('id', '=', comet.id).execute()
    const lerato = await buildUser(server.db, { firstname: 'Lerato', lastname: 'Khumalo' })
    const paid = await buildBooking(server.db, {
      pod_id: aurora.id,
      user_id: lerato.id,
      start_time: wallTime(businessDay(), '15:00'),
      price: '150.00',
      rate: '2.5',
      discount_minutes: 0,
    })
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Lerato/)).toBeVisible()
    const edge = await pointAt(page, /Lerato/, true)
    const drag = async () => {
      await page.mouse.move(edge.x, edge.y)
      await page.mouse.down()
      await page.mouse.move(edge.x + edge.hour / 2, edge.y, { steps: 6 })
      await expect(grid(page).getByText(/R\s75\.00 more/)).toBeAttached()
      await page.mouse.up()
    }
    await drag()
    const question = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(question).toContainText(`in Aurora, ${businessDay()}, so that it runs 3:00 PM to 4:30 PM?`)
    await expect(question).toContainText(/It costs R\s225\.00 then: R\s75\.00 more/)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Put back' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:00 PM/)
    await drag()
    await question.getByRole('button', { name: 'Change booking' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:30 PM/)
    await expect(page.getByText('Lerato Khumalo is now 3:00 PM to 4:30 PM')).toBeVisible()
    expect(await findRow(server, paid.id)).toMatchObject({ end_time: wallTime(businessDay(), '16:30') })

    await booking(page, /Lerato/).dragTo(grid(page).getByRole('row', { name: /^Comet/ }))
    await expect(page.getByRole('alertdialog', { name: 'Move booking' })).toContainText(
      'Move the booking of Lerato Khumalo to Comet at another location, Mill,',
    )
  })

  test('shows the new price when it has changed since the question, and is saved at that one', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { ten, borealis } = await buildDay(server)
    const setRate = (rate: string) =>
      server.db.updateTable('pods').set({ rate }).where('id', '=', borealis.id).execute()
    await server.db
      .updateTable('bookings')
      .set({ price: 150, rate: 2.5, discount_minutes: 0 })
      .where('id', '=', ten.id)
      .execute()
    await setRate('4')
    await signIn()
    await page.goto('/schedule')
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + from.box.height, { steps: 6 })
    await expect(grid(page).getByText(/R\s90\.00 more/)).toBeAttached()
    await page.mouse.up()
    const question = page.getByRole('alertdialog', { name: 'Move booking' })
    await expect(question).toContainText(/It costs R\s240\.00 then: R\s90\.00 more/)
    await setRate('5')
    await question.getByRole('button', { name: 'Move booking' }).click()
    await expect(question).toContainText('The price has changed since it was shown.')
    await expect(question).toContainText(/It costs R\s300\.00 then: R\s150\.00 more/)
    await question.getByRole('button', { name: 'Move booking' }).click()
    await expect(question).toHaveCount(0)
    await expect.poll(() => findRow(server, ten.id)).toMatchObject({ pod_id: borealis.id })
  })

  test('needs confirmation of each of two slow moves, over what has been typed since', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await server.db.updateTable('bookings').set({ price: 150, rate: 2.5, discount_minutes: 0 }).execute()
    await signIn()
    await openSchedule(page)
    const release = await holdRoute(page, '**/interval/preview')
    await grid(page).focus()
    const walkTo = async (text: RegExp) => {
      while (!text.test(await spoken(page).innerText())) await page.keyboard.press('ArrowRight')
    }
    for (const name of [/Zanele Dlamini/, /Johan Botha/]) {
      await walkTo(name)
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Enter')
    }
    await walkTo(/^Aurora, 2:00 PM/)
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Booked for').selectOption('newCustomer')
    await form.getByLabel('First name').fill('Naledi')
    await release()
    const questions = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(questions).toHaveCount(2)
    for (const left of [1, 0]) {
      await questions.last().getByRole('button', { name: 'Put back' }).click()
      await expect(questions).toHaveCount(left)
    }
    await expect(form.getByLabel('First name')).toHaveValue('Naledi')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:00 PM/)
  })

  test('is not picked up again before it is saved', async ({ page, server, signIn }) => {
    const { ten, borealis } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    const from = await pointAt(page, /Zanele/)
    const release = await holdRoute(page, '**/interval')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + from.box.height, { steps: 6 })
    await page.mouse.up()
    const saving = booking(page, 'Zanele Dlamini, Confirmed, 10:00 AM to 11:00 AM, being saved')
    await expect(saving).toBeVisible()
    const at = await pointAt(page, /Zanele/)
    await page.mouse.move(at.x, at.y)
    await page.mouse.down()
    await page.mouse.move(at.x + at.hour, at.y, { steps: 6 })
    await page.mouse.up()
    await page.mouse.click(at.x, at.y)
    await expect(spoken(page)).toHaveText('It is being saved.')
    await release()
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 10:00 AM to 11:00 AM')).toBeVisible()
    await expect(saving).toHaveCount(0)
    await expect(page.getByText('changed by somebody else')).toHaveCount(0)
    expect(await findRow(server, ten.id)).toMatchObject({
      pod_id: borealis.id,
      start_time: wallTime(businessDay(), '10:00'),
    })
    await page.mouse.click(at.x, at.y)
    await expect(page.getByRole('dialog', { name: 'Booking' })).toContainText('Borealis')
  })

  test('needs confirmation when the customer will get a mail about it', async ({ page }) => {
    // Nothing listens on that port; it is enough that a mail server is configured.
    const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pods@example.com' })
    try {
      const { zanele, ten } = await buildDay(server)
      await signInAs(page, server)
      await page.goto(`${server.url}/schedule`)
      await expect(booking(page, /Zanele/)).toBeVisible()
      await walkToZanele(page)
      await page.keyboard.press('m')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const question = page.getByRole('alertdialog', { name: 'Move booking' })
      await expect(question).toContainText(`We will write to ${zanele.email} about it.`)
      await question.getByRole('button', { name: 'Move booking' }).click()
      await expect(page.getByText(/Zanele Dlamini moved to Borealis/)).toBeVisible()
      expect((await findRow(server, ten.id)).version).toBe(2)
    } finally {
      await page.close()
      await server.close()
    }
  })

  test('is reversed when somebody else has booked the time meanwhile, and suggests a free time', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { borealis, zanele } = await buildDay(server)
    await signIn()
    await openSchedule(page)
    // Written to the database directly, so that the live stream does not report it.
    const start_time = wallTime(businessDay(), '10:00')
    await buildBooking(server.db, { pod_id: borealis.id, user_id: zanele.id, start_time, note: 'quick' })
    await walkToZanele(page)
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(
      page.getByText(
        /Zanele Dlamini stays where it was\..*Free in this pod: .*11:00 AM to 12:00 PM.*Free at this time: Comet, Mill/,
      ),
    ).toBeVisible()
    await expect(
      grid(page)
        .getByRole('row', { name: /Aurora/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toBeVisible()
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /has a note/ }),
    ).toBeVisible()
  })

  test('suggests what is free when somebody books the time while it asks', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { aurora, zanele } = await buildDay(server)
    const lerato = await buildUser(server.db, { firstname: 'Lerato', lastname: 'Khumalo' })
    const start_time = wallTime(businessDay(), '15:00')
    const sold = { price: '150.00', rate: '2.5', discount_minutes: 0 }
    await buildBooking(server.db, { pod_id: aurora.id, user_id: lerato.id, start_time, ...sold })
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Lerato/)).toBeVisible()
    const edge = await pointAt(page, /Lerato/, true)
    await page.mouse.move(edge.x, edge.y)
    await page.mouse.down()
    await page.mouse.move(edge.x + edge.hour / 2, edge.y, { steps: 6 })
    await page.mouse.up()
    const question = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(question).toContainText(/It costs R\s225\.00/)
    await buildBooking(server.db, {
      pod_id: aurora.id,
      user_id: zanele.id,
      start_time: wallTime(businessDay(), '16:00'),
    })
    await question.getByRole('button', { name: 'Change booking' }).click()
    await expect(question).toContainText(
      `Free in this pod: ${businessDay()} 2:30 PM to 4:00 PM; ${businessDay()} 2:15 PM to 3:45 PM; ${businessDay()} 2:00 PM to 3:30 PM. ` +
        'Free at this time: Borealis, Dock House, only 2 seats; Comet, Mill.',
    )
    await question.getByRole('button', { name: 'Put back' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:00 PM/)
  })

  test('is refused once the booking is over, and changes only its end once it has begun', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, noon } = await buildDay(server)
    server.clock.set(instantAt(businessDay(), '12:20'))
    await server.db.updateTable('bookings').set({ status: 'Completed' }).where('id', '=', ten.id).execute()
    await server.db.updateTable('bookings').set({ status: 'Processing' }).where('id', '=', noon.id).execute()
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Johan/)).toBeVisible()
    await grid(page).focus()
    await expect(spoken(page)).toHaveText('')
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/It has begun: only its end can be changed/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:15 PM/)
    await expect(booking(page, /Johan/)).not.toHaveAttribute('data-saving')
    const begun = await pointAt(page, /Johan/)
    await page.mouse.move(begun.x, begun.y)
    await page.mouse.down()
    await page.mouse.move(begun.x + begun.hour, begun.y, { steps: 6 })
    await expect(grid(page).getByText('It has begun: only its end can be changed')).toBeAttached()
    await page.mouse.up()
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:15 PM/)
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
    await page.keyboard.press('m')
    await expect(spoken(page)).toHaveText('It is over.')
    // Dragging it to free time is no click there.
    const over = await pointAt(page, /Zanele/)
    await page.mouse.move(over.x, over.y)
    await page.mouse.down()
    await page.mouse.move(over.x + over.hour * 4, over.y, { steps: 6 })
    await page.mouse.up()
    await page.mouse.click(over.x, over.y)
    await expect(page.getByRole('dialog', { name: 'Booking', exact: true })).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'New booking' })).toHaveCount(0)
  })
})
