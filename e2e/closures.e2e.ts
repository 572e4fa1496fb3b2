import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { beginToCloseAurora, buildDay, DAY, NOW } from './closure-day.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.beforeEach(async ({ page, server }) => {
  server.clock.set(NOW)
  await page.clock.setFixedTime(NOW)
})

test.describe('Closures', () => {
  test('move, cancel or leave each booking they hit as decided, and export the bookings as CSV', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3, 5])
    const { baobab, moved, cancelled, left } = await buildDay(server)
    const dialog = await beginToCloseAurora(page)
    await dialog.getByLabel('Reason').fill('Painting')
    await expect(dialog.getByRole('heading', { name: '3 bookings affected' })).toBeVisible()
    await expect(dialog.getByText('3 decisions to make')).toBeVisible()
    const close = dialog.getByRole('button', { name: 'Close pods' })
    await expect(close).toBeDisabled()
    const affected = dialog.getByRole('listitem').filter({ hasText: 'Naledi Dube' })
    for (const [name, href] of [
      ['Naledi Dube', `/user-details/${moved.user_id}`],
      ['+27 82 555 0101', 'tel:+27825550101'],
      ['naledi@example.com', 'mailto:naledi@example.com'],
    ] as const)
      await expect(affected.getByRole('link', { name })).toHaveAttribute('href', href)
    await expect(affected).toContainText('R 150.00 paid')
    const { name, body } = await downloadBy(page, dialog.getByRole('button', { name: 'Download' }))
    expect(name).toBe('Closure_Bookings.csv')
    expect(body.toString()).toContain('Naledi Dube')
    const of = (who: string) => dialog.getByLabel(new RegExp(`What happens to the booking of ${who} Dube`))
    await of('Naledi').selectOption('Move to Baobab, Dock House')
    await of('Thabo').selectOption('Cancel, give back R 150.00')
    await of('Zanele').selectOption('Leave as it is')
    await expect(dialog.getByText('All decided')).toBeVisible()
    await expectAccessible(page)
    await close.click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
      'Aurora closed. 1 booking moved, 1 booking cancelled.',
    )
    const row = page.getByRole('row').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('Painting')
    await expect(row).toContainText('Closed now')
    const rows = await server.db.selectFrom('bookings').select(['id', 'pod_id', 'status']).execute()
    const find = (id: string) => rows.find((booking) => booking.id === id)
    expect(find(moved.id)).toMatchObject({ pod_id: baobab.id, status: 'Pending' })
    expect(find(cancelled.id)).toMatchObject({ status: 'Cancelled' })
    expect(find(left.id)).toMatchObject({ pod_id: left.pod_id, status: 'Pending' })
  })

  test('name a booking of a company by the company', async ({ page, server, signIn }) => {
    await signIn([3])
    const { aurora } = await buildDay(server)
    const company = await buildCompany(server.db, { name: 'Kudu Software', phone: '+27 21 555 0100' })
    const times = { booking_date: DAY, start_time: wallTime(DAY, '18:00'), end_time: wallTime(DAY, '19:00') }
    const staff = await buildStaff(server.db, { firstname: 'Nontando', lastname: 'Radebe' })
    await buildBooking(server.db, { pod_id: aurora.id, staff_id: staff.id, company_id: company.id, ...times })
    const dialog = await beginToCloseAurora(page)
    await expect(dialog.getByLabel(/^What happens to the booking of Kudu Software/)).toBeVisible()
    const affected = dialog.getByRole('listitem').filter({ hasText: '+27 21 555 0100' })
    await expect(affected.getByRole('strong')).toHaveText('Kudu Software')
    await expect(affected).toContainText('Nontando Radebe')
  })

  test('ask again what happens to a booking whose new pod has been taken meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([3])
    const { aurora, baobab, moved } = await buildDay(server)
    await buildPod(server.db, { title: 'Cedar', location_id: aurora.location_id })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await dialog.getByLabel('Reason').fill('Lock broken')
    // Only one button cancels the dialog; another one, all bookings.
    await expect(dialog.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Leave all' }).click()
    const naledi = dialog.getByLabel(/booking of Naledi Dube/)
    await naledi.selectOption('Move to Baobab, Dock House')
    await buildBooking(server.db, { pod_id: baobab.id, start_time: moved.start_time })
    const sipho = await buildUser(server.db, { firstname: 'Sipho', lastname: 'Dube' })
    await buildBooking(server.db, { pod_id: aurora.id, user_id: sipho.id, start_time: wallTime(DAY, '17:00') })
    const block = dialog.getByRole('button', { name: 'Block', exact: true })
    await block.click()
    await expect(dialog.getByText('The pod that was chosen is not free any more. Choose again.')).toBeVisible()
    await expect(dialog.getByText('2 decisions to make')).toBeVisible()
    await expect(dialog.getByText('Decide what happens to it.')).toHaveCount(1)
    await expect(naledi.locator('option:checked')).toHaveText('Decide…')
    await expect(block).toBeDisabled()
    await expectAccessible(page)
    await dialog.getByLabel(/booking of Sipho Dube/).selectOption('Leave as it is')
    await naledi.selectOption('Move to Cedar, Dock House')
    await block.click()
    await expect(dialog).toHaveCount(0)
  })

  test('leave it to staff whether a booking moves to another city or a smaller pod', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const { baobab, cancelled } = await buildDay(server)
    await buildBooking(server.db, { pod_id: baobab.id, start_time: wallTime(DAY, '13:00') })
    const faraway = await buildLocation(server.db, { name: 'Rosebank Link', city: 'Johannesburg' })
    await buildPod(server.db, { title: 'Protea', location_id: faraway.id, capacity: 1 })
    await server.db.updateTable('pods').set({ capacity: 4 }).where('title', '=', 'Aurora').execute()
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await dialog.getByRole('button', { name: 'Move where possible' }).click()
    await expect(dialog.getByText('For 1 booking no pod as large is offered in its city.')).toBeVisible()
    await expect(dialog.getByText('1 decision to make')).toBeVisible()
    await expect(dialog.getByRole('paragraph').filter({ hasText: 'Baobab, Dock House' })).toHaveCount(2)
    await dialog
      .getByLabel(/booking of Thabo Dube/)
      .selectOption('Move to Protea, Rosebank Link, Johannesburg, only 1 seat')
    await expect(dialog.getByText('no pod as large')).toHaveCount(0)
    await dialog.getByLabel('Reason').fill('Lock broken')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    const moved = await server.db.selectFrom('bookings').selectAll().where('id', '=', cancelled.id).execute()
    expect(moved).toMatchObject([{ location_id: faraway.id }])
  })

  test('shows why the affected bookings could not be loaded, and loads them on Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    await signIn([3])
    await buildDay(server)
    const failing = '**/api/closures/preview'
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    const hits = page.getByRole('dialog').getByRole('region', { name: 'Affected bookings' })
    await expect(hits.getByRole('alert')).toContainText('The bookings could not be loaded')
    await expect(hits.getByRole('heading')).toHaveText('Affected bookings')
    await page.unroute(failing)
    await hits.getByRole('button', { name: 'Retry' }).click()
    await expect(hits.getByRole('heading')).toHaveText('3 bookings affected')
  })

  test('can close a whole location, which the form goes on showing', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildDay(server)
    await page.goto('/closures')
    await page.getByRole('button', { name: 'Close Pods' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Close pods' })
    await dialog.getByLabel('What is closed').selectOption('A whole location')
    const location = dialog.getByRole('combobox', { name: 'Location' })
    await location.fill('Dock')
    await page.getByRole('option', { name: /Dock House/ }).click()
    await expect(location).toHaveValue('Dock House')
    await dialog.getByLabel('Reason').fill('No power')
    await expect(location).toHaveValue('Dock House')
    await expect(dialog.getByRole('heading', { name: '3 bookings affected' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Leave all' }).click()
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'All of Dock House' })).toContainText('No power')
  })

  test('tell pods with the same title apart by their locations', async ({ page, server, signIn }) => {
    await signIn([3])
    for (const name of ['Rosebank', 'Sandton']) {
      const { id: location_id } = await buildLocation(server.db, { name, city: 'Pretoria' })
      const pod = await buildPod(server.db, { title: 'Pod 3', location_id })
      await buildBooking(server.db, { pod_id: pod.id, start_time: wallTime(DAY, '12:00') })
    }
    await page.goto('/closures')
    await page.getByRole('button', { name: 'Close Pods' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Close pods' })
    for (const place of ['rosebank', 'sandton']) {
      await choose(dialog.getByRole('combobox', { name: 'Pods' }), `pod 3 ${place}`, /Pod 3/)
    }
    await expect(dialog.getByTitle('Pod 3, Sandton, Pretoria')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Remove Pod 3, Sandton, Pretoria' })).toBeVisible()
    const bookings = dialog.getByRole('region', { name: 'Affected bookings' }).getByRole('listitem')
    await expect(bookings.filter({ hasText: 'Pod 3, Rosebank' })).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Leave all' }).click()
    await dialog.getByLabel('Reason').fill('Painting')
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Pod 3 and 1 other pod at 2 locations' })).toBeVisible()
    await page.goto('/pods')
    const row = page.getByRole('row').filter({ hasText: 'Sandton' })
    await row.getByRole('button', { name: 'Block Pod 3' }).click()
    await expect(page.getByRole('dialog', { name: 'Block Pod 3' })).toContainText(
      'The pod at Sandton, Pretoria is closed',
    )
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Delete Pod 3' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('delete Pod 3, Sandton?')
  })

  test('name all pods that a search finds at once, listed or not', async ({ page, server, signIn }) => {
    expectConsoleErrors(/503/)
    await signIn([3])
    const rosebank = await buildLocation(server.db, { name: 'Rosebank' })
    for (let number = 1; number <= 101; number++)
      await buildPod(server.db, { title: `Booth ${number}`, location_id: rosebank.id })
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    const pods = dialog.getByRole('combobox', { name: 'Pods' })
    await pods.fill('booth rosebank')
    await expect(dialog.getByText('50 of 101: type to find others')).toBeVisible()
    await expect(page.getByRole('option', { name: 'Choose all 101' })).toBeInViewport()
    await page.route(
      /getall.*[?&]page=2/,
      (route) => route.fulfill({ status: 503, headers: { 'retry-after': '60' } }),
      {
        times: 1,
      },
    )
    // From the field up to the last option.
    await pods.press('ArrowUp')
    await pods.press('Enter')
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByRole('button', { name: 'Retry' }).click()
    await expect(dialog.getByText('102 chosen')).toBeVisible()
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(pods).toHaveValue('')
    await expect(pods).toBeInViewport()
    await dialog.getByRole('button', { name: 'Remove Booth 77, Rosebank', exact: false }).click()
    await expect(dialog.getByText('101 chosen')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Reason').fill('Power cut')
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Aurora and 100 other pods at 2 locations' })).toBeVisible()
    expect(await server.db.selectFrom('closure_pods').select('pod_id').execute()).toHaveLength(101)
    await page.getByRole('button', { name: 'Close Pods' }).first().click()
    await pods.click()
    await page.getByRole('option', { name: 'Choose all 102' }).click()
    await expect(dialog.getByText('102 chosen')).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove all' }).click()
    await expect(dialog.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  })

  test('can block a location for a reason, with access to Locations alone', async ({ page, server, signIn }) => {
    await signIn([7])
    await buildDay(server)
    await page.goto('/location')
    await page.getByRole('switch', { name: 'Dock House active' }).press('Space')
    const dialog = page.getByRole('dialog', { name: 'Block Dock House' })
    await expect(dialog.getByRole('heading', { name: '3 bookings affected' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Leave all' }).click()
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByLabel('Reason').fill('No power')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(page.getByText('Closed until further notice: No power')).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Dock House active' })).not.toBeChecked()
  })
})

test.describe('On a phone', () => {
  test.use({ hasTouch: true, viewport: PHONE })

  test('blocks a pod by touch, with a reason, and unblocks the pod', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildDay(server)
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Actions for Aurora' }).tap()
    await page.getByRole('menuitem', { name: 'Block' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await expect(dialog.getByRole('link', { name: '+27 82 555 0101' })).toHaveCount(3)
    await dialog.getByLabel('Reason').fill('Lock broken')
    await dialog.getByRole('button', { name: 'Move where possible' }).tap()
    await expect(dialog.getByText('All decided')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Block', exact: true }).tap()
    const note = page.getByText('Closed until further notice: Lock broken')
    await expect(note).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Actions for Aurora' }).tap()
    await page.getByRole('menuitem', { name: 'Unblock' }).tap()
    await expect(note).toHaveCount(0)
    const [closure] = await server.db.selectFrom('closures').selectAll().execute()
    expect(closure).toMatchObject({ reason: 'Lock broken', ends: null, ended_at: new Date(NOW) })
  })
})
