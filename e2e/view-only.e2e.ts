import type { Locator, Page, Request } from '@playwright/test'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { isEdit, type Route, routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildDelivery,
  buildFeature,
  buildLocation,
  buildMail,
  buildPod,
  buildRolePreset,
  buildStaff,
  buildTransaction,
  buildUser,
  TEST_PASSWORD,
} from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, PHONE, type SignedIn, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'
import type { TestServer } from './test-server.ts'

const DESKTOP = { width: 1440, height: 900 }

/** Every endpoint that changes something, with its method and a pattern for its path. */
const editing = Object.entries(routes).flatMap(([domain, group]) =>
  Object.entries(group as Record<string, Route>)
    .filter(([, route]) => isEdit(route))
    .map(([name, { method, path }]) => {
      return { name: `${domain}.${name}`, method, pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`) }
    }),
)

/** Builds a record of every kind in a state that allows actions, with a history of changes. */
async function buildWorld({ db, clock, url }: TestServer, me: SignedIn) {
  const today = businessDay()
  clock.set(instantAt(today, '10:05'))
  const location = await buildLocation(db, { name: 'Harbour' })
  await buildLocation(db, { name: 'Gone harbour', deleted_at: new Date() })
  const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
  await buildPod(db, { title: 'Gone pod', location_id: location.id, deleted_at: new Date() })
  const user = await buildUser(db, { firstname: 'Thandi', lastname: 'Mokoena' })
  await buildUser(db, { firstname: 'Gone', deleted_at: new Date() })
  const company = await buildCompany(db, { name: 'Acme' })
  await buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu' })
  await buildRolePreset(db, { name: 'Front desk' })
  const at = (start: string, end: string) => ({
    pod_id: pod.id,
    booking_date: today,
    start_time: wallTime(today, start),
    end_time: wallTime(today, end),
  })
  const running = await buildBooking(db, { ...at('10:00', '11:00'), user_id: user.id })
  const own = await buildBooking(db, { ...at('15:00', '16:00'), staff_id: me._id, company_id: company.id })
  await buildBooking(db, { ...at('17:00', '18:00'), user_id: user.id, status: 'Cancelled' })
  await buildTransaction(db, { booking_id: running.id, amount: 100 })
  await buildClosure(db, {
    podId: pod.id,
    starts: wallTime(businessDay(3), '08:00'),
    ends: wallTime(businessDay(3), '09:00'),
  })
  const mail = await buildMail(db, { state: 'failed' })
  await buildDelivery(db, { state: 'failed' })
  const job = { kind: 'mail', key: `mail ${mail.id}`, payload: JSON.stringify({ mailId: mail.id }) }
  await db
    .insertInto('jobs')
    .values({ ...job, run_at: new Date(), dead_at: new Date(), tries: 10, last_error: '451' })
    .execute()
  // Sent through the API, so that the history has something to undo.
  const { email } = await buildStaff(db, { pages: [...pageCodes] })
  const send = async ({ method, path }: Route, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(`${url}/api${path.replace(':id', me._id)}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return response.json() as Promise<{ token: string }>
  }
  const { token } = await send(routes.auth.login, { email, password: TEST_PASSWORD })
  await send(routes.features.create, { name: 'Wi-Fi', icon: 'wifi' }, token)
  await buildFeature(db, { name: 'Screen' })
  const setAccess = (auth_page: PageCode[], viewOnlyPages: PageCode[]) =>
    send(routes.staff.update, { auth_page, viewOnlyPages }, token)
  return { bookingId: running.id, ownId: own.id, userId: user.id, podId: pod.id, setAccess }
}

type World = Awaited<ReturnType<typeof buildWorld>>

type Screen = { name: string; path: (world: World) => string }

/** All screens by area. A test visits a whole area, because opening a browser for each screen takes longer. */
const areas: Record<string, readonly Screen[]> = {
  'the day': [
    { name: 'dashboard', path: () => '/' },
    { name: 'schedule', path: () => '/schedule' },
    { name: 'week of a pod', path: ({ podId }) => `/schedule?pod=${podId}` },
    { name: 'arrivals', path: () => '/arrivals' },
    { name: 'closures', path: () => '/closures' },
  ],
  bookings: [
    { name: 'bookings', path: () => '/booking' },
    { name: 'booking', path: ({ bookingId }) => `/booking/${bookingId}` },
    { name: 'booking of one’s own', path: ({ ownId }) => `/booking/${ownId}` },
    { name: 'code of a booking', path: ({ ownId }) => `/qr?bookingId=${ownId}` },
    { name: 'corporate booking', path: () => '/corporate-booking' },
    { name: 'transactions', path: () => '/Transactions' },
  ],
  pods: [
    { name: 'pods', path: () => '/pods' },
    { name: 'deleted pods', path: () => '/pods?status=deleted' },
    { name: 'features', path: () => '/features' },
    { name: 'locations', path: () => '/location' },
    { name: 'deleted locations', path: () => '/location?status=deleted' },
  ],
  people: [
    { name: 'users', path: () => '/user-details' },
    { name: 'deleted users', path: () => '/user-details?status=deleted' },
    { name: 'customer', path: ({ userId }) => `/user-details/${userId}` },
    { name: 'companies', path: () => '/companies' },
    { name: 'staff', path: () => '/assign-role' },
    { name: 'presets', path: () => '/assign-role?show=presets' },
  ],
  'messages and settings': [
    { name: 'mails', path: () => '/messages' },
    { name: 'messages to customers', path: () => '/messages?show=templates' },
    { name: 'webhooks', path: () => '/messages?show=webhooks' },
    { name: 'failed work', path: () => '/messages?show=failed' },
    { name: 'policies', path: () => '/policies' },
    { name: 'activity', path: () => '/activity' },
  ],
}
const screens = Object.values(areas).flat()

const findEdit = (request: Request) =>
  editing.find(({ method, pattern }) => request.method() === method && pattern.test(new URL(request.url()).pathname))
    ?.name

/** Collects the names of the editing requests that the page sends from now on. */
function watchEdits(page: Page): string[] {
  const edits: string[] = []
  page.on('request', (request) => {
    const name = findEdit(request)
    if (name) edits.push(name)
  })
  return edits
}

const MOST_IN_DIALOG = 20
/** A pressed control sends its request at once. */
const AFTER_PRESS_MS = 100
const CONTROLS = 'button, [role=switch], [role=menuitem]'

/** Marks the controls inside `within` that can be pressed, and returns the marks. */
async function markControls(within: Locator): Promise<{ mark: string; name: string }[]> {
  return within.locator(CONTROLS).evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      if (node.matches(':disabled, [aria-disabled=true]') || !node.checkVisibility({ visibilityProperty: true }))
        return []
      const mark = crypto.randomUUID()
      node.setAttribute('data-mark', mark)
      // Days, times and pages differ only in their numbers, so one of each is enough.
      const name = (node.getAttribute('aria-label') ?? node.textContent ?? '').replaceAll(/\d+/g, '#')
      return [{ mark, name: `${name}${node.matches('[type=submit]') ? ' (submits)' : ''}`.trim() }]
    }),
  )
}

/**
 * Presses every control on a screen, and in the menus and dialogs that open. Adds each form that could be sent to the
 * edits, because reaching it counts as one too.
 */
async function pressControls(page: Page, path: string, edits: string[]): Promise<void> {
  const main = page.getByRole('main')
  const over = page.locator('dialog[open], [role=menu], :popover-open').last()
  const open = async () => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await waitUntilQuiet(page)
  }
  const press = async (mark: string) => {
    // An earlier press may have removed the control.
    const control = page.locator(`[data-mark="${mark}"]:not(:disabled)`)
    if (!(await control.isVisible())) return
    await control.click()
    await waitUntilQuiet(page, AFTER_PRESS_MS)
  }
  const pressed = new Set<string>()
  const isNew = (name: string) => !pressed.has(name) && Boolean(pressed.add(name))

  async function pressAllOver(opener: string, depth: number): Promise<void> {
    if (depth === 0 || !(await over.isVisible())) return
    const isWalked = await over.evaluate((node) => {
      const was = node.hasAttribute('data-walked')
      node.setAttribute('data-walked', '')
      return was
    })
    if (isWalked) return
    const isMenu = (await over.getAttribute('role')) === 'menu'
    // Limited, to avoid pressing every day of a calendar or every quarter of an hour.
    for (const { mark, name } of (await markControls(over)).slice(0, MOST_IN_DIALOG)) {
      const whole = `${opener}: ${name}`
      if (name.endsWith('(submits)')) edits.push(whole)
      else if (!/^(Close|Cancel)/.test(name) && isNew(whole)) {
        await press(mark)
        await pressAllOver(whole, depth - 1)
        // The menu has to be reopened for its next item.
        if (isMenu) return
      }
    }
  }

  await open()
  for (let left = true; left;) {
    left = false
    for (const { mark, name } of await markControls(main)) {
      // Controls with the same name repeat in every row, so one is enough. Menus are opened again for their next item.
      if (!isNew(name)) continue
      await press(mark)
      if (await over.isVisible()) {
        const isMenu = (await over.getAttribute('role')) === 'menu'
        const before = pressed.size
        await pressAllOver(name, 2)
        if (isMenu && pressed.size > before) {
          pressed.delete(name)
          left = true
        }
      }
      for (let n = 0; n < 4 && (await over.isVisible()); n++) await page.keyboard.press('Escape')
      if (new URL(page.url()).pathname !== new URL(path, page.url()).pathname) {
        await open()
        // The controls have new marks.
        left = true
        break
      }
    }
  }
}

// The offered controls follow from the same checks at every width, so a run covers all screens on a desktop, and on a
// phone only those with menus and cards of their own.
const onPhone = process.env.TEST_LONG
  ? screens
  : screens.filter(({ name }) => ['schedule', 'bookings', 'staff'].includes(name))
const walks = [
  ...Object.entries(areas).map(([area, ofArea]) => ({ area, viewport: DESKTOP, screens: ofArea })),
  { area: 'on a phone', viewport: PHONE, screens: onPhone },
]
for (const { area, viewport, screens } of walks) {
  test.describe('a staff member who may only view', () => {
    test.use({ viewport })
    test.setTimeout(240_000)

    test(`finds no control that changes anything: ${area}`, async ({ page, server, signIn }) => {
      // The frame of a mail blocks scripts.
      expectConsoleErrors(/sandboxed/)
      const me = await signIn(pageCodes, { view_only_pages: [...pageCodes] })
      const world = await buildWorld(server, me)
      const edits = watchEdits(page)
      for (const { name, path } of screens) {
        await test.step(name, async () => {
          await pressControls(page, path(world), edits)
          expect(edits).toEqual([])
          if (name !== 'dashboard') await expect(page.getByRole('main').getByText('View only').first()).toBeVisible()
        })
      }
    })
  })
}

// A colleague's levels are checked like one's own, so each run covers three screens, and a long run the others too.
const seenAs = ['schedule', 'bookings', 'staff']
const seenInLongRun = ['pods', 'users', 'booking', 'companies', 'policies', 'webhooks']
for (const name of process.env.TEST_LONG ? [...seenAs, ...seenInLongRun] : seenAs) {
  test(`a view of a colleague with edit access has no control that changes anything: ${name}`, async ({
    page,
    server,
    signIn,
  }) => {
    test.setTimeout(240_000)
    const editor = await buildStaff(server.db, { firstname: 'Thandi', pages: [...pageCodes] })
    const world = await buildWorld(server, await signIn())
    // By the server's clock, which buildWorld has set.
    const viewed_until = new Date(server.clock.now().getTime() + 1_800_000)
    await server.db.updateTable('sessions').set({ viewed_staff_id: editor.id, viewed_until }).execute()
    const screen = screens.find((one) => one.name === name)
    const edits = watchEdits(page)
    await pressControls(page, screen?.path(world) ?? '', edits)
    expect(edits).toEqual([])
    await expect(page.getByText('You see what Thandi sees.')).toBeVisible()
  })
}

test('the same search finds the editing controls of a person with edit access', async ({ page, server, signIn }) => {
  expectConsoleErrors(/403/)
  test.setTimeout(180_000)
  await buildWorld(server, await signIn())
  // Refused before they reach the server, so that one edit does not take away the controls of the others.
  await page.route('**/api/**', (route) =>
    findEdit(route.request()) ? route.fulfill({ status: 403, json: { message: 'Not here.' } }) : route.fallback(),
  )
  const edits = watchEdits(page)
  await pressControls(page, '/user-details', edits)
  expect(edits).toEqual(expect.arrayContaining(['users.block', 'users.delete']))
})

test('the schedule does not let staff with view access draw or move a booking', async ({ page, server, signIn }) => {
  const me = await signIn(pageCodes, { view_only_pages: [...pageCodes] })
  await buildWorld(server, me)
  const edits = watchEdits(page)
  await page.goto('/schedule')
  const grid = page.getByRole('grid')
  await expect(grid).toHaveAccessibleDescription(/W shows the week/)
  await expect(grid).not.toHaveAccessibleDescription(/N makes|M moves/)
  const booking = grid.locator('[data-booking]').first()
  const box = await booking.boundingBox()
  if (!box) throw new Error('No booking is drawn')
  const before = await booking.getAttribute('style')
  // By mouse: move a booking, drag its end, and draw a new one.
  for (const [from, to] of [
    [box.x + box.width / 2, box.x + box.width / 2 + 120],
    [box.x + box.width - 2, box.x + box.width + 80],
    [box.x + box.width + 20, box.x + box.width + 120],
  ] as const) {
    await page.mouse.move(from, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(to, box.y + box.height / 2, { steps: 4 })
    await expect(grid).not.toHaveAttribute('data-drag')
    await page.mouse.up()
    await page.keyboard.press('Escape')
  }
  // The same by keyboard.
  const spoken = page.getByTestId('schedule-spoken')
  await booking.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  for (const key of ['m', 'Shift+ArrowRight']) {
    await page.keyboard.press('ArrowRight')
    await expect(spoken).toHaveText(/Free/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press(key)
    await expect(spoken).toHaveText('You cannot move bookings here.')
  }
  expect(await booking.getAttribute('style')).toBe(before)
  for (const key of ['n', 'Enter', 'Shift+ArrowRight']) {
    await page.keyboard.press('End')
    await expect(spoken).toHaveText(/Free/)
    await page.keyboard.press(key)
    await expect(spoken).toHaveText('You cannot make bookings here.')
  }
  expect(edits).toEqual([])
})

test('the command palette offers no editing command to staff with view access', async ({ page, server, signIn }) => {
  const me = await signIn(pageCodes, { view_only_pages: [...pageCodes] })
  await buildWorld(server, me)
  await page.goto('/pods')
  await expect(page.getByRole('table', { name: 'Pods' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Go to or do' })
  await expect(page.getByRole('option', { name: 'Go to Pods' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'New booking' })).toHaveCount(0)
  await field.fill('block aurora')
  await waitUntilQuiet(page)
  await expect(page.getByRole('option', { name: /Close pod/ })).toHaveCount(0)
})

test('closures are not offered to staff who may only view them, though they may close whole locations', async ({
  page,
  signIn,
}) => {
  await signIn([3, 7], { view_only_pages: [3] })
  await page.goto('/closures')
  await expect(page.getByText('Periods in which pods cannot be used appear here.')).toBeVisible()
  await expect(page.getByText('View only')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close pods' })).toHaveCount(0)
})

test('a page lowered from edit to view takes effect at once, even in an open dialog', async ({
  page,
  server,
  signIn,
}) => {
  const { setAccess, podId } = await buildWorld(server, await signIn([3, 5]))
  const desk = await buildFeature(server.db, { name: 'Standing desk' })
  await server.db.insertInto('pod_features').values({ pod_id: podId, feature_id: desk.id, position: 0 }).execute()
  await page.goto('/pods')
  const edit = page.getByRole('button', { name: 'Edit Aurora' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit Pod' })
  await expect(dialog.getByLabel('Title')).toBeEnabled()
  await setAccess([3, 5], [3])
  // The open dialog still shows its content but can no longer be saved; the list behind it offers no change.
  await expect(dialog.getByLabel('Title')).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await expect(dialog.getByLabel('Features')).toBeDisabled()
  await expect(dialog.getByText('Standing desk')).toBeVisible()
  await expect(dialog.locator('[data-remove]')).toBeHidden()
  await expect(dialog.getByText('You can view this, but not change it.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('main').getByText('View only')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Pods' })).toHaveCount(0)
  await page.getByRole('button', { name: 'View Aurora' }).click()
  await expect(dialog.getByLabel('Title')).toHaveValue('Aurora')
  await expectAccessible(page)
})
