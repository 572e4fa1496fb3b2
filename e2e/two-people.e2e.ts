import type { Browser, Page } from '@playwright/test'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
} from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

const CONFLICT = /409 \(Conflict\)/

const choiceOf = (page: Page, field: string, whose: 'Yours' | 'Theirs') =>
  page.getByRole('radiogroup', { name: field, exact: true }).getByRole('radio', { name: whose })

async function openEdit(page: Page, path: string, name: string) {
  await page.goto(path)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  return page.getByRole('dialog')
}

test.describe('The second of two people to save a record', () => {
  let other: Page

  /** Opens a separate browser for another person. */
  async function openOther(browser: Browser, url: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: url })
    return context.newPage()
  }

  test.beforeEach(async ({ browser, server, signIn }) => {
    other = await openOther(browser, server.url)
    await signIn([2, 3, 4, 7, 8])
    await signIn([2, 3, 4, 7, 8], {}, other)
  })
  test.afterEach(() => other.context().close())

  test('compares a closure, chooses and saves, once each booking that it then hits is decided on', async ({
    page,
    server,
  }) => {
    expectConsoleErrors(CONFLICT)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const at = (time: string) => new Date(`2099-11-24T${time}:00.000Z`)
    await buildClosure(server.db, { podId: pod.id, starts: at('06:00'), ends: at('12:00') })
    await buildBooking(server.db, { pod_id: pod.id, start_time: at('14:00') })
    const mine = await openEdit(page, '/closures', 'Aurora')
    const theirs = await openEdit(other, '/closures', 'Aurora')
    await theirs.getByLabel('End time').selectOption('3:00 PM')
    await theirs.getByRole('button', { name: 'Leave all' }).click()
    await theirs.getByRole('button', { name: 'Save closure' }).click()
    await expect(theirs).toBeHidden()
    await mine.getByLabel('Reason').fill('New floor')
    await mine.getByLabel('End time').selectOption('1:00 PM')
    await mine.getByRole('button', { name: 'Save closure' }).click()
    await expect(mine.getByRole('radiogroup', { name: 'End time' })).toContainText('Yours1:00 PM')
    await expect(choiceOf(page, 'Reason', 'Yours')).toBeChecked()
    await choiceOf(page, 'End time', 'Theirs').check()
    await mine.getByRole('button', { name: 'Save closure' }).click()
    await expect(mine.getByText('Decide what happens to 1 booking that this closure affects.')).toBeVisible()
    await expect(mine.getByLabel('Reason')).toHaveValue('New floor')
    await mine.getByRole('button', { name: 'Leave all' }).click()
    await mine.getByRole('button', { name: 'Save closure' }).click()
    await expect(mine).toBeHidden()
    const [closure] = await server.db.selectFrom('closures').selectAll().execute()
    expect(closure).toMatchObject({ reason: 'New floor', ends: at('15:00'), version: 3 })
  })

  test('is told that a closure was ended meanwhile, and keeps what was typed', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await buildClosure(server.db, { podId: pod.id, ends: new Date('2099-11-24T12:00:00.000Z') })
    const mine = await openEdit(page, '/closures', 'Aurora')
    await mine.getByLabel('Reason').fill('New floor')
    await other.goto('/closures')
    await other.getByRole('button', { name: 'End now Aurora' }).click()
    // The affected bookings are loaded anew because of the other's change, which must not hold up this one.
    const release = await holdRoute(page, '**/api/closures/preview')
    const asked = page.waitForRequest('**/api/closures/preview')
    await other.getByRole('alertdialog').getByRole('button', { name: 'End now' }).click()
    await expect(other.getByText('Closure ended')).toBeVisible()
    await asked
    await mine.getByRole('button', { name: 'Save closure' }).click()
    await expect(mine.getByRole('alert')).toContainText('Error changing the closure')
    await expect(mine.getByRole('alert')).toContainText('This closure is over.')
    await expect(mine.getByLabel('Reason')).toHaveValue('New floor')
    await release()
  })

  test('compares a pod field by field, chooses and saves', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    const [here, there] = [
      await buildLocation(server.db, { name: 'Harbour' }),
      await buildLocation(server.db, { name: 'Nest' }),
    ]
    const pod = await buildPod(server.db, { title: 'Aurora', description: 'Quiet', capacity: 2, location_id: here.id })
    const [wifi, desk] = [
      await buildFeature(server.db, { name: 'Wi-Fi' }),
      await buildFeature(server.db, { name: 'Desk' }),
    ]
    const features = [wifi, desk].map(({ id }, position) => ({ pod_id: pod.id, feature_id: id, position }))
    await server.db.insertInto('pod_features').values(features).execute()
    const second = { pod_id: pod.id, position: 1, public_id: 'image-more', url: '/uploads/image-more.webp' }
    await server.db.insertInto('pod_images').values(second).execute()

    const mine = await openEdit(page, '/pods', 'Aurora')
    const theirs = await openEdit(other, '/pods', 'Aurora')

    await theirs.getByLabel('Title').fill('Aurora of Johan')
    await theirs.getByLabel('Seats').fill('4')
    await theirs.getByRole('combobox', { name: 'Location' }).fill('Nest')
    await other.getByRole('option', { name: 'Nest' }).click()
    await theirs.getByRole('button', { name: 'Remove image 2' }).click()
    await theirs.getByRole('button', { name: 'Save changes' }).click()
    await expect(theirs).toBeHidden()

    await mine.getByLabel('Title').fill('Aurora of Thandi')
    await mine.getByLabel('Description').fill('Quiet and bright')
    await mine.getByLabel('Device password').fill('a new door secret')
    await mine.getByRole('button', { name: 'Save changes' }).click()

    await expect(mine.getByRole('alert')).toContainText('Somebody else has changed this')
    await expect(mine.getByLabel('Maps link')).toBeHidden()
    await expect(mine.getByRole('radiogroup')).toHaveCount(6)
    await expect(choiceOf(page, 'Title', 'Yours')).not.toBeChecked()
    await expect(choiceOf(page, 'Title', 'Theirs')).not.toBeChecked()
    await expect(choiceOf(page, 'Description', 'Yours')).toBeChecked()
    for (const field of ['Seats', 'Location', 'Images']) await expect(choiceOf(page, field, 'Theirs')).toBeChecked()
    await expect(choiceOf(page, 'Location', 'Theirs')).toHaveAccessibleName('Theirs Nest')
    await expect(choiceOf(page, 'Device password', 'Yours')).toBeChecked()
    await expect(mine).not.toContainText('a new door secret')

    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(mine.getByText('Both of you have changed this. Choose one.')).toBeVisible()
    await expect(choiceOf(page, 'Title', 'Yours')).toBeFocused()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    await choiceOf(page, 'Title', 'Theirs').check()
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Pod updated successfully!')).toBeVisible()
    const saved = await server.db.selectFrom('pods').selectAll().executeTakeFirstOrThrow()
    expect(saved).toMatchObject({
      title: 'Aurora of Johan',
      description: 'Quiet and bright',
      capacity: 4,
      location_id: there.id,
      version: 3,
    })
    expect(saved.device_password).not.toBe(pod.device_password)
    expect(await server.db.selectFrom('pod_images').select('url').execute()).toHaveLength(1)
  })

  test('keeps their choices for a location that changes once more before they save', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    await buildLocation(server.db, { name: 'Harbour', city: 'Cape Town', country_code: 'ZA' })
    const mine = await openEdit(page, '/location', 'Harbour')
    const theirs = await openEdit(other, '/location', 'Harbour')
    await theirs.getByLabel('Name').fill('Harbour of Johan')
    await theirs.getByRole('combobox', { name: 'Country' }).fill('nami')
    // Until it is searched, the list has all countries, and moves them under a press that began before.
    await expect(theirs.getByRole('option')).toHaveCount(1)
    await other.getByRole('option', { name: 'Namibia' }).click()
    await theirs.getByRole('button', { name: 'Save changes' }).click()
    await expect(theirs).toBeHidden()

    await mine.getByLabel('Name').fill('Harbour of Thandi')
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(choiceOf(page, 'Country Code', 'Theirs')).toHaveAccessibleName('Theirs Namibia')
    await choiceOf(page, 'Name', 'Yours').check()

    // The other person saves once more before this is sent: it is compared again, and the choices are kept.
    await server.db.updateTable('locations').set({ city: 'Windhoek' }).execute()
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(choiceOf(page, 'City', 'Theirs')).toBeChecked()
    await expect(mine.getByRole('alert')).toBeFocused()
    await expect(choiceOf(page, 'Name', 'Yours')).toBeChecked()
    await expect(mine.getByRole('radiogroup')).toHaveCount(2)
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Location updated successfully')).toBeVisible()
    expect(await server.db.selectFrom('locations').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      name: 'Harbour of Thandi',
      city: 'Windhoek',
      country_code: 'NA',
    })
  })

  test('gets no conflict over equal values, or over values that are not in the form', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    await buildFeature(server.db, { name: 'Wi-Fi', icon: 'wifi' })
    const mine = await openEdit(page, '/features', 'Wi-Fi')
    await server.db.updateTable('features').set({ name: 'Internet', is_blocked: true }).execute()
    await mine.getByLabel('Feature Name').fill('Internet')
    await mine.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Feature updated successfully')).toBeVisible()
    const saved = await server.db.selectFrom('features').selectAll().executeTakeFirstOrThrow()
    expect(saved).toMatchObject({ name: 'Internet', is_blocked: true })
  })

  test('compares a staff member’s pages by name, and sees no password', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    const { id } = await server.db
      .selectFrom('staff')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    await server.db.updateTable('staff').set({ firstname: 'Johan', lastname: 'Botha' }).where('id', '=', id).execute()
    const harbour = await buildLocation(server.db, { name: 'Harbour' })
    const mine = await openEdit(page, '/assign-role', 'Johan Botha')
    await server.db
      .updateTable('staff')
      .set({ pages: [2, 3], location_ids: [harbour.id] })
      .where('id', '=', id)
      .execute()
    await expect(mine.getByLabel(/Password/)).toHaveCount(0)
    await mine.getByLabel('First name').fill('Jo')
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(choiceOf(page, 'Page access', 'Theirs')).toBeChecked()
    await expect(choiceOf(page, 'Page access', 'Theirs')).toHaveAccessibleName('Theirs Features, Pods')
    await expect(choiceOf(page, 'Locations', 'Theirs')).toHaveAccessibleName('Theirs Harbour')
    await expect(choiceOf(page, 'First name', 'Yours')).toHaveAccessibleName('Yours Jo')
    await mine.getByRole('button', { name: 'Save changes' }).click()
    await expect(mine).toBeHidden()
    const saved = await server.db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(saved).toMatchObject({ firstname: 'Jo', pages: [2, 3] })
  })

  test('compares opening hours day by day, and keeps the date that they have added', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    await buildLocation(server.db, { name: 'Harbour' })
    const open = async (on: Page) => {
      await on.goto('/location')
      await on.getByRole('button', { name: 'Opening hours of Harbour' }).click()
      return on.getByRole('dialog', { name: 'Opening hours of Harbour' })
    }
    const mine = await open(page)
    const theirs = await open(other)
    await theirs.getByLabel('Monday opens').selectOption('9:00 AM')
    await theirs.getByLabel('Sunday: open or closed').selectOption('Closed')
    await theirs.getByRole('button', { name: 'Save hours' }).click()
    await expect(theirs).toBeHidden()
    await mine.getByLabel('Tuesday opens').selectOption('10:00 AM')
    await mine.getByLabel('Sunday opens').selectOption('11:00 AM')
    await mine.getByRole('button', { name: 'Add date' }).click()
    await mine.getByLabel('New date: label').fill('Staff party')
    await mine.getByLabel('New date: date').fill('2099-02-03')
    await mine.getByRole('button', { name: 'Save hours' }).click()
    await expect(choiceOf(page, 'Monday', 'Theirs')).toBeChecked()
    await expect(choiceOf(page, 'Tuesday', 'Yours')).toBeChecked()
    await choiceOf(page, 'Sunday', 'Theirs').check()
    await expect(choiceOf(page, 'Dates with other hours', 'Yours')).toHaveAccessibleName(/2099-02-03 Staff party/)
    await mine.getByRole('button', { name: 'Save hours' }).click()
    await expect(mine).toBeHidden()
    const hours = server.db.selectFrom('opening_hours').select(['weekday', 'opens']).orderBy('weekday')
    expect(await hours.where('weekday', 'in', [1, 2, 7]).execute()).toMatchObject([
      { weekday: 1, opens: 9 * 60 },
      { weekday: 2, opens: 10 * 60 },
      { weekday: 7 },
    ])
    expect(await server.db.selectFrom('hour_exceptions').select('label').execute()).toEqual([{ label: 'Staff party' }])
  })

  test('gets no conflict when both have added the same reason and closed the same day', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    await buildLocation(server.db, { name: 'Harbour' })
    const addReason = async (on: Page) => {
      await on.goto('/policies')
      await on.getByRole('button', { name: 'Edit reasons' }).click()
      const dialog = on.getByRole('dialog', { name: 'Reasons for cancellations' })
      await dialog.getByRole('button', { name: 'Add reason' }).click()
      await dialog.getByRole('textbox').last().fill('Power cut')
      return dialog.getByRole('button', { name: 'Save reasons' })
    }
    const closeSunday = async (on: Page) => {
      await on.goto('/location')
      await on.getByRole('button', { name: 'Opening hours of Harbour' }).click()
      const dialog = on.getByRole('dialog', { name: 'Opening hours of Harbour' })
      await dialog.getByLabel('Sunday: open or closed').selectOption('Closed')
      return dialog.getByRole('button', { name: 'Save hours' })
    }
    for (const type of [addReason, closeSunday]) {
      const [mine, theirs] = [await type(page), await type(other)]
      for (const save of [theirs, mine]) {
        await save.click()
        await expect(save).toBeHidden()
      }
    }
  })

  test('is told to look again before a company that has changed is deleted', async ({ page, server, signIn }) => {
    expectConsoleErrors(CONFLICT)
    await signIn([9])
    await buildCompany(server.db, { name: 'Baobab' })
    await page.goto('/companies')
    await page.getByRole('button', { name: 'Delete Baobab' }).click()
    await server.db.updateTable('companies').set({ name: 'Baobab Books' }).execute()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(question.getByRole('alert')).toContainText('Close this, look at it as it is now, and try again.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete Baobab Books' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Companies that book pods for their people appear here.')).toBeVisible()
  })

  test('is told that a feature has been deleted meanwhile, and keeps what was typed', async ({ page, server }) => {
    expectConsoleErrors(/404/)
    await buildFeature(server.db, { name: 'Sauna' })
    const mine = await openEdit(page, '/features', 'Sauna')
    await other.goto('/features')
    await other.getByRole('button', { name: 'Delete Sauna' }).click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(other.getByRole('alertdialog')).toBeHidden()
    await mine.getByLabel('Feature Name').fill('Steam bath')
    await mine.getByRole('button', { name: 'Submit' }).click()
    await expect(mine.getByRole('alert')).toContainText('It is no longer here: somebody else may have deleted it.')
    await expect(mine.getByLabel('Feature Name')).toHaveValue('Steam bath')
  })

  test('compares the rate, and sees beforehand that somebody else is editing', async ({ page, server }) => {
    expectConsoleErrors(CONFLICT)
    const open = async (on: Page) => {
      await on.goto('/transactions')
      await on.getByRole('button', { name: 'Manage Rate' }).click()
      const dialog = on.getByRole('dialog', { name: 'Manage Rate' })
      await expect(dialog.getByText('Your current Base price is 0 ZAR.')).toBeVisible()
      return dialog
    }
    const mine = await open(page)
    const theirs = await open(other)
    // All tests share the one rate, and a form that an earlier test left open is listed as editing for 45 seconds.
    for (const dialog of [mine, theirs]) await expect(dialog.getByText(/(is|are) editing$/)).toBeVisible()
    // The discount is stored beside the rate, but does not conflict with it.
    await server.db.updateTable('pricing').set({ discount_minutes: 15 }).execute()
    await theirs.getByLabel('Rate').fill('2.50')
    await theirs.getByRole('button', { name: 'Submit' }).click()
    await expect(theirs).toBeHidden()

    await mine.getByLabel('Rate').fill('3')
    await mine.getByRole('button', { name: 'Submit' }).click()
    await expect(choiceOf(page, 'Rate', 'Theirs')).toHaveAccessibleName('Theirs 2.5')
    await choiceOf(page, 'Rate', 'Yours').check()
    await mine.getByRole('button', { name: 'Submit' }).click()
    await expect(mine).toBeHidden()
    const saved = await server.db.selectFrom('pricing').selectAll().executeTakeFirstOrThrow()
    expect(saved).toMatchObject({ rate: '3.0000', discount_minutes: 15 })
  })
})
