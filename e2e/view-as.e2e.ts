import type { Page } from '@playwright/test'
import { PAGE } from '#contract/pages.ts'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, type SignedIn, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'
import type { TestServer } from './test-server.ts'

/** Builds two locations with a pod each, and Thandi, who may edit the pods of one and view its customers. */
async function buildWorld({ db }: TestServer) {
  const here = await buildLocation(db, { name: 'Rosebank' })
  const there = await buildLocation(db, { name: 'Waterfront' })
  const user = await buildUser(db, { firstname: 'Naledi', lastname: 'Dube' })
  for (const [location, title] of [
    [here, 'Acacia'],
    [there, 'Baobab'],
  ] as const) {
    const pod = await buildPod(db, { title, location_id: location.id })
    await buildBooking(db, { pod_id: pod.id, user_id: user.id, start_time: new Date('2030-01-07T09:00:00.000Z') })
  }
  return buildStaff(db, {
    firstname: 'Thandi',
    lastname: 'Nkosi',
    pages: [PAGE.pods, PAGE.users],
    view_only_pages: [PAGE.users],
    location_ids: [here.id],
  })
}

async function viewAsThandi(page: Page): Promise<void> {
  await page.goto('/assign-role')
  await startViewAsThandi(page)
}

async function startViewAsThandi(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions for Thandi Nkosi', exact: true }).click()
  await page.getByRole('menuitem', { name: 'View as' }).click()
  await page
    .getByRole('alertdialog', { name: 'View as Thandi' })
    .getByRole('button', { name: 'View', exact: true })
    .click()
  await expect(bar(page)).toBeVisible()
}

const bar = (page: Page) => page.getByText('You see what Thandi sees. Nothing can be changed.')
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' }).first().getByRole('link')
const readChanges = ({ db }: TestServer, { _id }: SignedIn) =>
  db.selectFrom('audit').select(['action', 'entity_id', 'reason']).where('actor_id', '=', _id).orderBy('at').execute()

test('a view of a colleague is announced, and not as a refusal of the screen that it leaves', async ({
  page,
  server,
  signIn,
}) => {
  await buildWorld(server)
  await signIn()
  await page.goto('/assign-role')
  await page.evaluate(() => {
    const alerts = new Set<string>()
    Object.assign(window, { alerts })
    const note = () => {
      for (const alert of document.querySelectorAll('[role=alert]')) alerts.add(alert.textContent)
    }
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
  })
  await startViewAsThandi(page)
  await expect(page.getByRole('heading', { name: 'All Pods' })).toBeVisible()
  const alerts = await page.evaluate(() => 'alerts' in window && window.alerts instanceof Set && [...window.alerts])
  expect(alerts).toContainEqual(expect.stringMatching(/^You see what Thandi sees\. Nothing can be changed\./))
  expect(alerts).not.toContainEqual(expect.stringMatching(/cannot access/))
})

test('a view of a colleague shows their menu, lists and levels, offers no change, and survives a reload', async ({
  page,
  server,
  signIn,
}) => {
  const thandi = await buildWorld(server)
  const me = await signIn(undefined, { firstname: 'Lindiwe' })
  await viewAsThandi(page)
  // This is the first page that Thandi holds.
  await expect(page).toHaveURL(/\/pods$/)
  await expect(menu(page)).toHaveText(['Pods', 'User Details', 'Closures'])
  await expect(page.getByText('Thandi Nkosi').first()).toBeVisible()
  await expect(page.getByText('Rosebank only')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Acacia' })).toBeVisible()
  await expect(page.getByText('Baobab')).toHaveCount(0)
  // Thandi may edit pods; the viewer may not.
  await expect(page.getByRole('main').getByText('View only')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create Pods' })).toHaveCount(0)
  await page.getByRole('button', { name: 'View Acacia' }).click()
  await expect(page.getByRole('dialog').getByText('You can view this, but not change it.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  await page.reload()
  await expect(bar(page)).toBeVisible()
  await expect(menu(page)).toHaveText(['Pods', 'User Details', 'Closures'])
  await page.getByRole('link', { name: 'User Details' }).click()
  await expect(page.getByRole('main').getByText('View only')).toBeVisible()
  await expect(page.getByText('Naledi Dube')).toBeVisible()
  // Exports of personal data and the account page are only for the person themselves, not for a viewer.
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Naledi Dube' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('dialog', { name: 'History of Naledi Dube' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/user-details/)
  await expect(page.getByRole('link', { name: 'Your account' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveCount(0)
  for (const path of ['/account', '/assign-role']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/pods$/)
  }

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByText('You see your own portal again')).toBeVisible()
  await expect(page.getByText('Baobab').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Pods' })).toBeVisible()
  await expect(page.getByText('Lindiwe').first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Baobab').first()).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  expect(await readChanges(server, me)).toEqual([
    { action: 'view-as', entity_id: thandi.id, reason: null },
    { action: 'view-as-end', entity_id: thandi.id, reason: null },
  ])
})

test('a view of a colleague offers no file of personal data', async ({ page, server, signIn }) => {
  await buildStaff(server.db, { firstname: 'Thandi', lastname: 'Nkosi', pages: [PAGE.staff, PAGE.corporateBooking] })
  await buildCompany(server.db, { name: 'Acme' })
  await signIn()
  const download = page.getByRole('button', { name: 'Download', exact: true })
  await page.goto('/companies')
  await expect(download).toBeVisible()
  await viewAsThandi(page)
  for (const [name, row] of [
    ['Companies', 'Acme'],
    ['Activity', 'Thandi Nkosi'],
  ] as const) {
    await menu(page).filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: row }).first()).toBeVisible()
    await expect(download).toHaveCount(0)
  }
})

test('a view of a colleague appears in every tab, and ends with the session, leaving nothing stored', async ({
  page,
  server,
  signIn,
}) => {
  await buildWorld(server)
  const me = await signIn()
  const other = await page.context().newPage()
  await page.goto('/pods')
  await expect(page.getByText('Baobab').first()).toBeVisible()
  await other.goto('/pods')
  await viewAsThandi(page)
  await expect(bar(other)).toBeVisible()
  await expect(other.getByText('Acacia').first()).toBeVisible()
  await expect(other.getByText('Baobab')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  for (const tab of [page, other]) {
    await expect(tab.getByRole('button', { name: 'Log in' })).toBeVisible()
    // Counted at once, because a toast hides by itself.
    expect(await tab.getByText('You see your own portal again').count()).toBe(0)
  }
  // The portal does not wait for the server to sign out.
  const out = { action: 'sign-out', entity_id: me._id, reason: null }
  await expect.poll(async () => (await readChanges(server, me)).at(-1)).toEqual(out)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect(await server.db.selectFrom('sessions').select('id').execute()).toEqual([])
  await other.close()
})

test('a view of a colleague ends by itself after half an hour', async ({ page, server, signIn }) => {
  const thandi = await buildWorld(server)
  const me = await signIn()
  await viewAsThandi(page)
  server.clock.set(new Date(Date.now() + 31 * 60_000).toISOString())
  await page.getByRole('link', { name: 'User Details' }).click()
  await expect(page.getByText('You see your own portal again')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(menu(page).filter({ hasText: 'Assign Role' })).toBeVisible()
  expect((await readChanges(server, me)).at(-1)).toEqual({
    action: 'view-as-end',
    entity_id: thandi.id,
    reason: 'The 30 minutes were over',
  })
})

test('“View as” is disabled, with a reason, for a colleague who is blocked or has more access than the viewer', async ({
  page,
  server,
  signIn,
}) => {
  await buildWorld(server)
  await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [PAGE.pods], is_blocked: true })
  await signIn([PAGE.staff, PAGE.pods])
  await page.goto('/assign-role')
  const action = page.getByRole('menuitem', { name: 'View as' })
  await page.getByRole('button', { name: 'More actions for Sipho Zulu', exact: true }).click()
  await expect(action).toBeDisabled()
  await expect(action).toContainText('A blocked colleague sees nothing.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions for Thandi Nkosi', exact: true }).click()
  await expect(action).toBeDisabled()
  await expect(action).toContainText('Thandi Nkosi has access to User Details, which you do not hold')
})

test('a view of a colleague keeps its bar visible on a phone, without sideways scrolling', async ({
  page,
  server,
  signIn,
}) => {
  await buildWorld(server)
  await signIn()
  await viewAsThandi(page)
  await page.setViewportSize(PHONE)
  await waitUntilQuiet(page)
  await expect(bar(page)).toBeInViewport()
  await expectNoSidewaysScroll(page)
  await page.mouse.wheel(0, 2000)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeInViewport()
  await expectAccessible(page)
})
