import type { Page } from '@playwright/test'
import { PAGE } from '#contract/pages.ts'
import { buildBooking, buildFeature, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, signInAs, test } from './fixtures.ts'
import { asColleague, expectWithinASecond, openList, rowsOf } from './live-changes.ts'
import { waitUntilQuiet } from './quiet.ts'

/** Runs in the page. Returns the milliseconds until an element in the row with that name has exactly this text. */
function timeUntilRowSays([name, text]: readonly [string, string]): Promise<number> {
  const started = performance.now()
  return new Promise((resolve) => {
    const look = () => {
      const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) => textContent?.includes(name))
      if ([...(row?.querySelectorAll('*') ?? [])].some(({ textContent }) => textContent === text))
        resolve(performance.now() - started)
      else requestAnimationFrame(look)
    }
    look()
  })
}

test.describe('A colleague’s change', () => {
  test('appears within a second, in place and marked, without reloading the page', async ({ page, server, signIn }) => {
    const colleague = asColleague(server, await signIn())
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await buildPod(server.db, { title: 'Borealis' })
    await openList(page, '/pods')
    const row = rowsOf(page, 'Pods').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('active')
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await colleague('PUT', `/product/block-pods/${pod.id}`)
    await expect(row).toHaveClass(/marked/)
    await expect(page.getByText('Changed: Aurora')).toBeAttached()
    await expect(row).not.toHaveClass(/marked/)

    const statuses = [
      ['unblock', 'active'],
      ['block', 'Inactive'],
      ['unblock', 'active'],
      ['block', 'Inactive'],
    ] as const
    await expectWithinASecond(page, statuses, async ([action, status]) => {
      const shown = page.evaluate(timeUntilRowSays, ['Aurora', status] as const)
      const [time] = await Promise.all([shown, colleague('PUT', `/product/${action}-pods/${pod.id}`)])
      return time
    })
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test('holds back what others change in an open history, but not one’s own changes', async ({
    page,
    server,
    signIn,
  }) => {
    const colleague = asColleague(server, await signIn(undefined, { firstname: 'Sipho', lastname: 'Dube' }))
    const me = asColleague(server, await signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' }))
    const location = await buildLocation(server.db, { name: 'Dock House' })
    await me('PUT', `/location/block-Location/${location.id}`)
    await openList(page, '/location')
    await page.getByRole('button', { name: 'History Dock House' }).click()
    const dialog = page.getByRole('dialog', { name: 'History of Dock House' })
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('article')
    await expect(changes).toHaveCount(1)

    await colleague('PUT', `/location/unblock-Location/${location.id}`)
    await colleague('PUT', `/location/block-Location/${location.id}`)
    const bar = dialog.getByRole('button', { name: /new changes? — Show/ })
    await expect(bar).toHaveText('2 new changes — Show')
    await expect(changes).toHaveCount(1)
    await expect(dialog.getByRole('button', { name: 'Undo this' })).toHaveCount(0)
    await bar.click()
    await expect(changes).toHaveCount(3)
    await expect(changes.first()).toContainText('Sipho Dube blocked the location')

    await dialog.getByRole('button', { name: 'Undo this' }).click()
    await expect(changes).toHaveCount(4)
    await expect(changes.first()).toContainText('Thandi Nkosi unblocked the location')
    await expect(bar).toHaveCount(0)
  })

  test('moves no row: new bookings are counted above the list, and shown on a click', async ({
    page,
    server,
    signIn,
  }) => {
    const staff = await signIn()
    const colleague = asColleague(server, staff)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    for (let hour = 6; hour < 18; hour += 1) {
      const start_time = new Date(`2028-01-10T${String(hour).padStart(2, '0')}:00:00Z`)
      const created_at = new Date(Date.UTC(2026, 10, 20, hour))
      await buildBooking(server.db, { pod_id: pod.id, staff_id: staff._id, start_time, created_at })
    }
    await openList(page, '/booking')
    const rows = rowsOf(page, 'Bookings')
    await expect(rows).toHaveCount(10)
    const before = await rows.allInnerTexts()
    const top = await rows.first().boundingBox()
    const book = (hour: string) =>
      colleague('POST', `/user/create-booking/${pod.id}`, {
        bookingPurpose: 'meeting',
        bookingDate: '2028-01-11',
        startTime: `2028-01-11T${hour}:00:00.000Z`,
        endTime: `2028-01-11T${hour}:30:00.000Z`,
      })
    await book('09')
    const bar = page.getByRole('button', { name: /new bookings? — Show/ })
    await expect(bar).toHaveText('1 new booking — Show')
    await book('10')
    await expect(bar).toHaveText('2 new bookings — Show')
    await expect(page.getByText('All Bookings (14)')).toBeVisible()
    // A row that is changed meanwhile is updated in place.
    const last = await server.db
      .selectFrom('bookings')
      .select('id')
      .where('start_time', '=', new Date('2028-01-10T08:00:00Z'))
      .executeTakeFirstOrThrow()
    await colleague('PUT', `/user/cancel-booking/${last.id}`)
    await expect(rows.last()).toContainText('Cancelled')
    expect((await rows.allInnerTexts()).slice(0, 9)).toEqual(before.slice(0, 9))
    expect(await rows.first().boundingBox()).toEqual(top)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expect(bar).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })

    await bar.click()
    await expect(bar).toHaveCount(0)
    await expect(rows).toHaveCount(10)
    await expect(rows.first()).toContainText('2028-01-11')
    expect((await rows.allInnerTexts()).slice(2)).toEqual(before.slice(0, 8))
  })

  test('moves no row of the history or of mails either', async ({ page, server, signIn }) => {
    const staff = await signIn()
    const colleague = asColleague(server, staff)
    const { id } = await buildUser(server.db)
    const toggle = (action: 'block' | 'unblock') => colleague('PUT', `/user/${action}-user/${id}`)
    const invite = (name: string) =>
      colleague('POST', '/user/register-staff', { firstname: name, email: `${name}@example.com`, auth_page: [1] })
    await toggle('block')
    await toggle('unblock')
    await invite('Lerato')
    const bar = page.getByRole('button', { name: /— Show/ })
    const lists = [
      ['/activity', 'Changes', () => toggle('block'), '1 new change — Show', 'Blocked the user'],
      ['/messages', 'Mails', () => invite('Sipho'), '1 new mail — Show', 'Sipho'],
    ] as const
    for (const [path, name, change, text, first] of lists) {
      await openList(page, path)
      const rows = rowsOf(page, name)
      await expect(rows.first()).toBeVisible()
      const before = await rows.allInnerTexts()
      const top = await rows.first().boundingBox()
      await change()
      await expect(bar).toHaveText(text)
      expect(await rows.allInnerTexts()).toEqual(before)
      expect(await rows.first().boundingBox()).toEqual(top)
      await bar.click()
      await expect(bar).toHaveCount(0)
      await expect(rows.first()).toContainText(first)
      await expect(rows).toHaveCount(before.length + 1)
    }
  })

  test('is not counted as new when the filters exclude it; nor is one’s own addition', async ({
    page,
    server,
    signIn,
  }) => {
    const colleague = asColleague(server, await signIn())
    await buildLocation(server.db, { name: 'Dock House' })
    await openList(page, '/location?search=Dock')
    await expect(page.getByRole('heading', { name: 'Dock House' })).toBeVisible()
    const location = { Street: '1 Quay', city: 'Cape Town', state: 'Western Cape', zip: '8001', country_code: 'ZA' }
    const add = (name: string) => colleague('POST', '/location/create', { ...location, name })
    const bar = page.getByRole('button', { name: /— Show/ })
    await add('Mill')
    await expect(page.getByText('1 of 2')).toBeVisible()
    await waitUntilQuiet(page)
    await add('Dock Road')
    await expect(bar).toHaveText('1 new location — Show')
    await bar.click()
    await expect(page.getByRole('heading', { name: 'Dock Road' })).toBeVisible()

    await page.getByRole('button', { name: 'Add Location' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Location' })
    const typed = { Name: 'Dock Gate', Street: '2 Quay', City: 'Cape Town', Province: 'Western Cape', Zip: '8001' }
    for (const [label, text] of Object.entries(typed)) await form.getByLabel(label, { exact: true }).fill(text)
    await form.getByLabel('Country').fill('South Africa')
    await page.getByRole('option', { name: 'South Africa' }).click()
    await form.getByRole('button', { name: 'Add Location' }).click()
    await expect(page.getByRole('heading', { name: 'Dock Gate' })).toBeVisible()
    // Somebody else's next change arrives after the hint of one's own change, which must not be counted.
    await add('Dock Yard')
    await expect(bar).toHaveText('1 new location — Show')
  })

  test('updates the dashboard in place', async ({ page, server, signIn }) => {
    const colleague = asColleague(server, await signIn())
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    await openList(page, '/')
    const row = page
      .getByRole('region', { name: 'User Details', exact: true })
      .getByRole('row', { name: /Ayesha Patel/ })
    await expect(row).toContainText('active')
    await colleague('PUT', `/user/block-user/${user.id}`)
    await expect(row).toContainText('Inactive')
  })

  test('appears where its name is shown, for somebody without its page', async ({ page, server, signIn }) => {
    const colleague = asColleague(server, await signIn())
    await signIn([6])
    const feature = await buildFeature(server.db, { name: 'Scren' })
    const pod = await buildPod(server.db)
    await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await openList(page, '/schedule')
    const names = page.getByRole('combobox', { name: 'Feature' }).getByRole('option')
    await expect(names).toHaveText(['All features', 'Scren'])
    await colleague('PUT', `/location/edit-feature/${feature.id}`, { name: 'Screen', icon: feature.icon })
    await expect(names).toHaveText(['All features', 'Screen'])
  })

  test('of one’s own details appears under Your account, whatever pages one holds', async ({
    page,
    server,
    signIn,
  }) => {
    const colleague = asColleague(server, await signIn())
    const { _id } = await signIn([2])
    await openList(page, '/account')
    await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible()
    await colleague('PUT', `/user/edit-staff/${_id}`, { role: 'Duty manager', firstname: 'Nomvula' })
    await expect(page.getByText('Duty manager')).toBeVisible()
    const aside = page.getByRole('complementary')
    await expect(aside.getByText(/^Nomvula /)).toBeVisible()
    await page.reload()
    await expect(aside.getByText(/^Nomvula /)).toBeVisible()
  })

  test('of a closure appears on the list of pods', async ({ page, server, signIn }) => {
    const colleague = asColleague(server, await signIn())
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await openList(page, '/pods')
    const row = rowsOf(page, 'Pods').filter({ hasText: 'Aurora' })
    await expect(row).toContainText('active')
    const starts = new Date(Date.now() - 86_400_000).toISOString()
    const ends = new Date(Date.now() + 86_400_000).toISOString()
    await colleague('POST', '/closures', { podIds: [pod.id], starts, ends, repeats: null, reason: 'Painting' })
    await expect(row).toContainText('Painting')
  })

  test('does not overwrite the input in an open form', async ({ page, server, signIn }) => {
    const colleague = asColleague(server, await signIn())
    const location = await buildLocation(server.db, { name: 'Dock House' })
    await openList(page, '/location')
    await page.getByRole('button', { name: 'Edit Dock House' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Location' })
    await form.getByLabel('Street').fill('21 Dock Road')
    await colleague('PUT', `/location/block-Location/${location.id}`)
    await expect(page.getByRole('listitem').filter({ hasText: 'Dock House' })).toContainText('Inactive')
    await expect(form.getByLabel('Street')).toHaveValue('21 Dock Road')
  })
})

test.describe('Two people editing one record', () => {
  test('each see that the other is editing, until the form is closed', async ({ page, browser, server, signIn }) => {
    await signIn([PAGE.locations], { firstname: 'Johan' })
    await buildLocation(server.db, { name: 'Dock House' })
    const other = await browser.newContext({ baseURL: server.url })
    const there = await other.newPage()
    await signInAs(there, server, [PAGE.locations], { firstname: 'Thandi' })
    const open = async (tab: Page) => {
      await openList(tab, '/location')
      await tab.getByRole('button', { name: 'Edit Dock House' }).click()
      return tab.getByRole('dialog', { name: 'Edit Location' })
    }
    const form = await open(page)
    const formThere = await open(there)
    await expect(formThere.getByText('Johan is editing')).toBeVisible()
    await expect(form.getByText('Thandi is editing')).toBeVisible()
    await expectAccessible(page)
    await formThere.getByRole('button', { name: 'Cancel' }).click()
    await expect(form.getByText('Thandi is editing')).toHaveCount(0)
    await other.close()
  })

  test('say so at once when the server has forgotten them, as when a hidden tab has slept', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([PAGE.locations])
    await buildLocation(server.db, { name: 'Dock House' })
    await openList(page, '/location')
    const says = () => page.waitForResponse(/\/api\/live\/editing$/, { timeout: 12_000 })
    const said = says()
    await page.getByRole('button', { name: 'Edit Dock House' }).click()
    await said
    // A form says so every 20 seconds by itself, and the server looks every 5 seconds.
    const saidAgain = says()
    server.clock.set(new Date(Date.now() + 60_000).toISOString())
    await saidAgain
  })
})
