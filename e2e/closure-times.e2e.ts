import { buildClosure, buildPod } from '#server/testing/factories.ts'
import { instantAt, wallTime } from './business-day.ts'
import { beginToCloseAurora, buildDay, DAY, NOW } from './closure-day.ts'
import { expect, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { moveClock } from './quiet.ts'

test.beforeEach(async ({ page, server }) => {
  server.clock.set(NOW)
  await page.clock.setFixedTime(NOW)
})

test.describe('The times of closures', () => {
  test('keep their end at midnight when they are edited', async ({ page, server, signIn }) => {
    await signIn([3])
    const { aurora } = await buildDay(server)
    const ends = new Date('2026-11-28T00:00:00.000Z')
    await buildClosure(server.db, { podId: aurora.id, starts: wallTime(DAY, '17:00'), ends })
    await page.goto('/closures')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit closure' })
    await expect(dialog.getByLabel('To', { exact: true })).toHaveValue('2026-11-27')
    await expect(dialog.getByLabel('End time').locator('option:checked')).toHaveText('End of day')
    await dialog.getByLabel('Reason').fill('New floor')
    await dialog.getByRole('button', { name: 'Save closure' }).click()
    await expect(dialog).toHaveCount(0)
    const [closure] = await server.db.selectFrom('closures').selectAll().execute()
    expect(closure).toMatchObject({ reason: 'New floor', ends })
  })

  test('can repeat every week', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    await dialog.getByLabel('Reason').fill('Deep clean')
    await dialog.getByLabel('Start time').selectOption('8:00 AM')
    await dialog.getByLabel('End time').selectOption('10:00 AM')
    await dialog.getByLabel('Repeats').selectOption('Every week on Monday')
    await expect(dialog.getByRole('heading', { name: 'No bookings affected' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('2026-11-23, 8:00 AM –')
    await expect(row).toContainText('10:00 AM, every week')
    // Those of a year, and the next one after it.
    expect(await server.db.selectFrom('closure_instances').selectAll().execute()).toHaveLength(54)
  })

  test('can repeat until a last date, which can be changed', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    await dialog.getByLabel('Repeats').selectOption('Every week on Monday')
    await dialog.getByLabel('Stops repeating').selectOption('On a date')
    await dialog.getByLabel('From').fill('')
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    await expect(dialog.getByText('From is required')).toBeVisible()
    await expect(dialog.getByText('Last date is required')).toBeVisible()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByLabel('Reason').fill('Deep clean')
    await dialog.getByLabel('From').fill('2026-11-23')
    await dialog.getByLabel('Last date').fill('2026-12-14')
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('every week until 2026-12-14')
    const countInstances = async () =>
      (await server.db.selectFrom('closure_instances').select('closure_id').execute()).length
    expect(await countInstances()).toBe(4)
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit closure' })
    await expect(edit.getByLabel('Repeats')).toHaveValue('FREQ=WEEKLY')
    await expect(edit.getByLabel('Last date')).toHaveValue('2026-12-14')
    await edit.getByLabel('Last date').fill('2026-12-07')
    await edit.getByRole('button', { name: 'Save closure' }).click()
    await expect(row).toContainText('every week until 2026-12-07')
    expect(await countInstances()).toBe(3)
  })

  test('repeat on a weekday of each month, which follows the start', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    await dialog.getByLabel('Reason').fill('Deep clean')
    await dialog.getByLabel('From').fill('2026-12-09')
    await dialog.getByLabel('Repeats').selectOption('Every month on the second Wednesday')
    await dialog.getByLabel('From').fill('')
    await dialog.getByLabel('From').fill('2026-12-07')
    await dialog.getByLabel('To', { exact: true }).fill('2026-12-07')
    await expect(dialog.getByRole('heading', { name: 'No bookings affected' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    const repetition = page
      .getByRole('row')
      .filter({ hasText: 'Aurora' })
      .getByText(/every month on the first Monday$/)
    await page.setViewportSize({ width: 1280, height: 720 })
    expect(await repetition.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    const planned = await server.db
      .selectFrom('closure_instances')
      .select('starts')
      .orderBy('starts')
      .limit(3)
      .execute()
    const days = planned.map(({ starts }) => starts.toISOString().slice(0, 10))
    expect(days).toEqual(['2026-12-07', '2027-01-04', '2027-02-01'])
  })

  test('end on no day before the one on which they start', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    const to = dialog.getByLabel('To', { exact: true })
    await expect(to).toHaveValue(DAY)
    await dialog.getByLabel('From').fill('2026-12-03')
    await expect(to).toHaveValue('2026-12-03')
    await expect(dialog.getByRole('heading', { name: 'No bookings affected' })).toBeVisible()
    await to.fill('2026-12-02')
    await to.blur()
    await expect(dialog.getByText('Choose 2026-12-03 or a later day.')).toBeVisible()
    await to.fill('2026-12-05')
    await dialog.getByLabel('From').fill('2026-12-04')
    await expect(to).toHaveValue('2026-12-05')
  })

  test('follow the clock on every list that shows them', async ({ page, server, signIn }) => {
    await signIn([3, 7])
    const { aurora } = await buildDay(server)
    await buildClosure(server.db, { podId: aurora.id, starts: wallTime(DAY, '10:00'), ends: wallTime(DAY, '11:00') })
    const lists = [
      { path: '/closures', before: 'Upcoming', after: 'Closed now' },
      { path: '/pods', before: 'Dock House', after: 'Closed until' },
    ]
    await page.clock.install({ time: NOW })
    // Nothing else makes the portal read it again.
    await holdRoute(page, '**/api/live')
    for (const { path, before, after } of lists) {
      server.clock.set(NOW)
      await page.goto(path)
      const row = page.getByRole('row').filter({ hasText: 'Aurora' })
      await expect(row).toContainText(before)
      await expect(row).not.toContainText(after)
      server.clock.set(instantAt(DAY, '10:00'))
      await moveClock(page, '01:00')
      await expect(row).toContainText(after)
    }
  })

  test('show when they were ended instead of the end that was planned', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    const dialog = await beginToCloseAurora(page)
    await dialog.getByLabel('Reason').fill('Deep clean')
    await dialog.getByRole('button', { name: 'Close pods' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('end of day, once')
    await row.getByRole('button', { name: /^End now/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End now' }).click()
    await expect(row).toContainText(/Ended .*, \d/)
    await expect(row).not.toContainText('end of day')
  })
})
