import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '@playwright/test'
import { archiveChanges } from '#server/modules/audit/archive.ts'
import { systemActor } from '#server/modules/audit/record-event.ts'
import { buildPod, buildStaff, buildUser } from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import { downloadBy } from './download.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  type SignedIn,
  test,
} from './fixtures.ts'

/** The list of all changes: what was changed, by whom and when. */

test('lists changes in readable words, and links to their records, even deleted ones', async ({
  page,
  server: { db },
  signIn,
}) => {
  const { token } = await signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
  const headers = { authorization: `Bearer ${token}` }
  const pod = await buildPod(db, { title: 'Aurora' })
  await page.request.put(`/api/product/edit-pods/${pod.id}`, { headers, data: { rate: 4.5 } })
  await page.request.delete(`/api/product/delete-pods/${pod.id}`, { headers })
  await page.goto('/activity')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity')
  const rows = page.getByRole('table', { name: 'Changes' }).locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText(/Thandi Nkosi.*Deleted the pod.*Aurora.*Pods/)
  await expect(rows.nth(1)).toContainText('Changed the rate per minute')
  await expectAccessible(page)

  await rows
    .nth(1)
    .getByRole('button', { name: /^Details/ })
    .press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Aurora' })
  await expect(dialog).toContainText('before: R 2.50')
  await expect(dialog).toContainText('after: R 4.50')
  await expect(dialog).toContainText('127.0.0.1')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await rows
    .nth(1)
    .getByRole('button', { name: /^History/ })
    .click()
  await expect(page.getByRole('dialog').getByRole('article')).toHaveCount(2)
  await page.keyboard.press('Escape')

  await rows.nth(1).getByRole('link', { name: 'Aurora' }).click()
  await expect(page).toHaveURL(`/pods?search=${pod.id}&status=deleted`)
  await page.getByRole('button', { name: 'Restore Aurora' }).click()
  await expect(page.getByText('Aurora is restored')).toBeVisible()
  await page.goto('/activity')
  await expect(rows.nth(0)).toContainText('Restored the pod')
  await rows.nth(0).getByRole('link', { name: 'Aurora' }).click()
  await expect(page.getByRole('button', { name: 'Edit Aurora' })).toBeVisible()

  await page.setViewportSize(PHONE)
  await page.goto('/activity')
  await expect(page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first()).toContainText(
    'Restored the pod',
  )
  await expectNoSidewaysScroll(page)
})

test('shows changes of a kind that only an updated server knows, by its own word for it', async ({
  page,
  server: { db },
  signIn,
}) => {
  const { token } = await signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
  const headers = { authorization: `Bearer ${token}` }
  const pod = await buildPod(db, { title: 'Aurora' })
  await page.request.put(`/api/product/edit-pods/${pod.id}`, { headers, data: { rate: 4.5 } })
  await page.request.put(`/api/product/block-pods/${pod.id}`, { headers, data: {} })
  const callLockers = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('"entity":"pod"', '"entity":"locker"') })
  }
  await page.route('**/api/activity/changes?*', callLockers)
  await page.route('**/api/history?*', callLockers)
  await page.goto('/activity')
  const rows = page.getByRole('table', { name: 'Changes' }).locator('tbody').getByRole('row')
  const row = rows.filter({ hasText: 'Changed the rate per minute' })
  await expect(row).toContainText(/Thandi Nkosi.*Aurora.*locker/)
  await expect(row.getByRole('link')).toHaveCount(0)
  const history = row.getByRole('button', { name: /^History/ })
  await expect(history).toHaveAccessibleDescription('Reload the page first: this kind of record is new.')
  await row.getByRole('button', { name: /^Details/ }).click()
  const changes = page.getByRole('dialog').getByRole('article')
  await expect(changes).toContainText(/Thandi Nkosi changed the rate per minute.*R\s4\.50/)

  await page.goto('/pods')
  await page.getByRole('button', { name: 'History Aurora' }).click()
  await expect(changes.nth(0)).toContainText('Thandi Nkosi blocked the locker')
  await expect(page.getByRole('button', { name: 'Undo this' })).toHaveCount(0)
})

test('links to the screens of records that are not found by their ids', async ({ page, server: { db }, signIn }) => {
  const paths = {
    closure: '/closures',
    policy: '/policies',
    'role-preset': '/assign-role?show=presets',
    mail: '/messages',
    template: '/messages?show=templates',
    webhook: '/messages?show=webhooks',
    'api-key': '/messages?show=keys',
    job: '/messages?show=failed',
  } as const
  const kinds = Object.keys(paths) as (keyof typeof paths)[] // exactly the keys of `paths`
  await db
    .insertInto('audit')
    .values(
      kinds.map((entity) => ({
        id: crypto.randomUUID(),
        at: new Date(),
        actor_kind: 'system',
        actor_id: null,
        address: null,
        request_id: null,
        action: 'edit',
        entity,
        entity_id: null,
        label: `A ${entity}`,
        version: null,
        before: null,
        after: null,
        reason: null,
        undoes: null,
      })),
    )
    .execute()
  await signIn()
  await page.goto('/activity')
  for (const kind of kinds)
    await expect(page.getByRole('link', { name: `A ${kind}`, exact: true })).toHaveAttribute('href', paths[kind])
  await signIn([8])
  await page.goto('/activity')
  await expect(page.getByRole('link', { name: 'A policy' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'A closure' })).toHaveCount(0)
})

test('opens no history of a record whose page one does not hold', async ({ page, server: { db }, signIn }) => {
  const { token } = await signIn()
  const pod = await buildPod(db, { title: 'Aurora' })
  const headers = { authorization: `Bearer ${token}` }
  await page.request.put(`/api/product/edit-pods/${pod.id}`, { headers, data: { rate: 4.5 } })
  await signIn([8])
  await page.goto('/activity')
  const row = page.getByRole('row').filter({ hasText: 'Aurora' })
  const history = row.getByRole('button', { name: /^History/ })
  await expect(history).toHaveAttribute('aria-disabled', 'true')
  await expect(history).toHaveAccessibleDescription('You do not have access to Pods.')
})

test('filters by person, kind, action and dates, and downloads the filtered changes', async ({
  page,
  server,
  signIn,
}) => {
  const { db, clock } = server
  clock.set('2026-11-20T09:00:00.000Z')
  const sipho = await buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu', deleted_at: clock.now() })
  const pod = await buildPod(db, { title: 'Aurora' })
  const user = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const thandi = await signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
  const put = (path: string, { token }: SignedIn) =>
    page.request.put(path, { headers: { authorization: `Bearer ${token}` } })
  await put(`/api/product/block-pods/${pod.id}`, thandi)
  clock.set('2026-11-21T09:00:00.000Z')
  await put(`/api/user/block-user/${user.id}`, thandi)
  await put(`/api/user/unblock-user/${user.id}`, thandi)
  // A change made by somebody else.
  await db
    .insertInto('audit')
    .values({
      id: crypto.randomUUID(),
      at: new Date('2026-11-21T10:00:00.000Z'),
      actor_kind: 'staff',
      actor_id: sipho.id,
      address: null,
      request_id: null,
      action: 'block',
      entity: 'pod',
      entity_id: pod.id,
      label: 'Aurora',
      version: 9,
      before: null,
      after: null,
      reason: null,
      undoes: null,
    })
    .execute()

  await page.goto('/activity')
  const rows = page.getByRole('table', { name: 'Changes' }).locator('tbody').getByRole('row')
  // Blocking a pod is recorded as two changes: one of the pod, and a new closure.
  await expect(rows).toHaveCount(5)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Users')
  await expect(rows).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Unblocked')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Unblocked the user')
  const file = await downloadBy(page, page.getByRole('button', { name: 'Download', exact: true }))
  expect(file.name).toBe('Activity.csv')
  expect(file.body.toString().trim().split('\n')).toHaveLength(2)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('textbox', { name: 'To' }).fill('2026-11-20')
  await page.getByRole('textbox', { name: 'To' }).press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'Blocked the pod' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await choose(page.getByRole('combobox', { name: 'Person' }), 'Thandi', /Thandi Nkosi/)
  await expect(rows).toHaveCount(5)
  const ofDownload = rows.filter({ hasText: 'Downloaded Activity.csv' })
  await expect(ofDownload.getByRole('button', { name: 'Details “downloaded Activity.csv”, Activity' })).toBeVisible()
  await expect(ofDownload.getByRole('button', { name: /^History/ })).toHaveAccessibleDescription(
    'It is not about one record.',
  )
  await choose(page.getByRole('combobox', { name: 'Person' }), 'Sipho', /Sipho Zulu\s*Deleted/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Sipho Zulu')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Person' })).toHaveValue('Sipho Zulu')
  await expect(rows).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Transactions')
  await expect(page.getByText('No change matches these filters.')).toBeVisible()
})

test('is shown only to staff with access to page 8', async ({ page, signIn }) => {
  await signIn([8])
  await page.goto('/assign-role')
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveURL('/activity')
  await expect(page.getByText('Changes appear here as soon as anybody makes one.')).toBeVisible()
  await signIn([3])
  await page.goto('/activity')
  await expect(page).not.toHaveURL('/activity')
  await expect(page.getByRole('link', { name: 'Activity' })).toHaveCount(0)
})

test('imports an archive of changes, and refuses any other file', async ({ page, server: { db }, signIn }) => {
  const { token } = await signIn()
  const headers = { authorization: `Bearer ${token}` }
  const pod = await buildPod(db, { title: 'Aurora' })
  await page.request.put(`/api/product/block-pods/${pod.id}`, { headers })
  const file = join(tmpdir(), `changes-${pod.id}.jsonl.gz`)
  const later = () => new Date(Date.now() + 7 * 86_400_000)
  await archiveChanges(db, systemActor(later), { before: new Date(Date.now() + 86_400_000), file })
  await page.goto('/activity')
  const table = page.getByRole('table', { name: 'Changes' })
  await expect(table).not.toContainText('Blocked the pod')
  expectConsoleErrors(/400/)
  const choose = page.getByLabel('Archive of changes')
  await choose.setInputFiles({ name: 'other.gz', mimeType: 'application/gzip', buffer: Buffer.from('other') })
  await expect(page.getByText('This is not an archive of this system')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await choose.setInputFiles(file)
  await expect(page.getByText(/changes? imported/)).toBeVisible()
  await expect(table).toContainText('Blocked the pod')
  await rm(file)
})

test('opens the history of the policies, of which there is only one record', async ({ page, signIn }) => {
  const { token } = await signIn()
  const headers = { authorization: `Bearer ${token}`, 'if-match': '*' }
  await page.request.put('/api/booking-policy', { headers, data: { cancelReasons: ['Power cut'] } })
  await page.goto('/activity')
  const row = page.getByRole('row', { name: /Cancellation policy/ })
  await row.getByRole('button', { name: /^History/ }).click()
  await expect(page.getByRole('dialog').getByRole('article')).toContainText('changed the reasons for cancellations')
})
