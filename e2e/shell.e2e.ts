import type { Locator } from '@playwright/test'
import { buildBooking, buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const names = [
  'Dashboard',
  'Schedule',
  'Arrivals',
  'Features',
  'Pods',
  'Transactions',
  'User Details',
  'Booking',
  'Location',
  'Assign Role',
  'Corporate Booking',
  'Closures',
  'Companies',
  'Policies',
  'Activity',
  'Messages',
]

test.describe('The shell', () => {
  test('lists the staff member’s pages in the menu, and marks the open one', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/features')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await expect(menu.getByRole('link')).toHaveText(names)
    await expect(menu.locator('[aria-current=page]')).toHaveText('Features')
    await expect(page).toHaveTitle('Features · Podkeeper')
    await menu.getByRole('link', { name: 'Location' }).click()
    await expect(page).toHaveURL('/location')
    await expect(menu.locator('[aria-current=page]')).toHaveText('Location')
    await expect(page).toHaveTitle('Location · Podkeeper')
    await page.getByRole('link', { name: 'Podkeeper home' }).click()
    await expect(page).toHaveURL('/')
    await expect(menu.locator('[aria-current=page]')).toHaveText('Dashboard')
    await expect(page.getByText('Welcome Podkeeper')).toBeVisible()
    await expect(page.getByPlaceholder('Search...')).toBeVisible()
    // Typed in other letters, or with a slash at the end.
    for (const path of ['/transactions', '/Transactions/']) {
      await page.goto(path)
      await expect(menu.locator('[aria-current=page]')).toHaveText('Transactions')
      await expect(page).toHaveTitle('Transactions · Podkeeper')
    }
  })

  test('opens and lists only granted pages, and redirects other paths to the first of them', async ({
    page,
    signIn,
  }) => {
    await signIn([7, 2])
    await page.goto('/')
    await expect(page).toHaveURL('/features')
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(['Features', 'Location'])
    for (const path of ['/pods', '/nothing/here', '/qr?bookingId=1']) {
      await page.goto(path)
      await expect(page).toHaveURL('/features')
    }
  })

  test('redirects unknown paths to the dashboard for staff with that page', async ({ page, signIn }) => {
    await signIn([1])
    await page.goto('/nothing/here')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('shows a message to staff without any page, and lets them sign out', async ({ page, signIn }) => {
    await signIn([])
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'you cannot access this page' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  })

  test('redirects every path to the login when nobody is signed in', async ({ page }) => {
    for (const path of ['/', '/features', '/qr', '/nothing']) {
      await page.goto(path)
      await expect(page).toHaveURL('/login')
    }
  })

  test('restores a session only when token and pages are stored, even if the user data is broken', async ({
    page,
    signIn,
  }) => {
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.evaluate(() => localStorage.setItem('user', '{broken'))
    await page.reload()
    await expect(page.getByText('Sign out and log in again.')).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('auth_page'))
    await page.reload()
    await expect(page).toHaveURL('/login')
  })

  test('redirects an expired session to the login, and returns to the same screen afterwards', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    const { email } = await signIn([2, 7])
    const listening = page.waitForResponse(/\/api\/live$/)
    await page.goto('/location?status=active')
    await expect(page.getByRole('button', { name: 'Add Location' }).first()).toBeVisible()
    await listening
    // Requests that the screen sends by itself would also notice that the session has ended.
    await waitUntilQuiet(page)
    await server.db.deleteFrom('sessions').execute()
    await page.getByLabel('Status').selectOption('blocked')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/location?status=blocked')
  })

  test('keeps what was typed when the session expires, until one has signed in again in another tab', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    const { email } = await signIn([7])
    await buildLocation(server.db, { name: 'Dock' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Location' })
    await form.getByLabel('Name').fill('Dock House')
    await server.db.deleteFrom('sessions').execute()
    await form.getByRole('button', { name: 'Save changes' }).click()
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' })
    const link = ended.getByRole('link', { name: 'Log in again' })
    await expect(link).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const opened = context.waitForEvent('page')
    await link.click()
    const other = await opened
    await other.getByLabel('Email Address').fill(email)
    await other.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await expect(ended).toBeVisible()
    await other.getByRole('button', { name: 'Log in' }).click()
    await expect(ended).toBeHidden()
    await expect(form.getByLabel('Name')).toHaveValue('Dock House')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Location updated successfully')).toBeVisible()
  })

  test('reads no live stream while an expired session is kept, and does not call the connection lost', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/, /ERR_INTERNET_DISCONNECTED/)
    await signIn([7])
    await page.clock.install()
    const listening = page.waitForResponse(/\/api\/live$/)
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add Location' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Dock House')
    await listening
    await server.db.deleteFrom('sessions').execute()
    // The stream is broken, and the next one is refused.
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await context.setOffline(false)
    await page.clock.runFor(5_000)
    await expect(page.getByRole('alertdialog', { name: 'Your session has ended' })).toBeVisible()
    let attempts = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/live')) attempts += 1
    })
    await page.clock.runFor(20_000)
    await expect(page.getByText('There is no connection to the server.')).toBeHidden()
    expect(attempts).toBe(0)
  })

  test('leads to the login from an expired session whose unsaved input is discarded', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([7])
    await buildLocation(server.db, { name: 'Dock' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    await page.getByLabel('Name').fill('Dock House')
    await server.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('signs out in the browser and on the server', async ({ page, server, signIn }) => {
    await signIn([2, 7])
    await page.goto('/location')
    await page.getByRole('link', { name: 'Features' }).click()
    await expect(page).toHaveURL('/features')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your session has ended.')).toBeHidden()
    expect(await page.evaluate(() => ['token', 'auth_page', 'user'].map((item) => localStorage.getItem(item)))).toEqual(
      [null, null, null],
    )
    await expect.poll(() => server.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
  })

  test('takes the messages of whoever signs out away from the screen', async ({ page, server, signIn }) => {
    await signIn([2])
    await buildFeature(server.db, { name: 'Sauna' })
    await page.goto('/features')
    await page.getByRole('button', { name: 'Block Sauna' }).click()
    const message = page.getByText('Feature blocked successfully')
    await expect(message).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(message).toBeHidden()
  })

  test('signs in and out together with other tabs of the browser', async ({ page, context, signIn }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    const other = await context.newPage()
    await other.goto('/features')
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Features')
    const stored = await other.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
    const ended = other.waitForResponse('**/api/user/logout')
    await other.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await ended
    const asked = page.waitForRequest('**/api/user/verify-page')
    await other.evaluate((items) => {
      for (const [name, value] of Object.entries(items)) localStorage.setItem(name, String(value))
    }, stored)
    // That session has ended on the server: the portal follows the other tab in, checks it, and is refused.
    await asked
    await expect(page).toHaveURL(/\/login/)
  })

  test('shows a spinner instead of the screen while access is checked, once per page and session', async ({
    page,
    signIn,
  }) => {
    await signIn([2, 7])
    let checks = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/user/verify-page')) checks += 1
    })
    const letGo = await holdRoute(page, '**/api/user/verify-page')
    await page.goto('/features')
    await expect(page.getByText('Checking your access')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Features' })).toBeHidden()
    await letGo()
    await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Location' }).click()
    await expect(page.getByRole('heading', { name: 'Locations' })).toBeVisible()
    await menu.getByRole('link', { name: 'Features' }).click()
    await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible()
    expect(checks).toBe(2)
  })

  test('refuses a page that was taken away, and removes its link from the menu', async ({ page, server, signIn }) => {
    expectConsoleErrors(/403/)
    const { _id } = await signIn([2, 7])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    // If the list's response arrived after the change, the link would disappear before it is clicked.
    await waitUntilQuiet(page)
    await server.db
      .updateTable('staff')
      .set({ pages: [2] })
      .where('id', '=', _id)
      .execute()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Location' }).click()
    await expect(page.getByRole('heading', { name: 'you cannot access this page' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(['Features'])
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to Features' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
  })

  test('refuses access, with Retry, when the access check gets no response', async ({ page, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([2])
    await page.route('**/api/user/verify-page', (route) => route.abort())
    await page.goto('/features')
    await expect(page.getByRole('heading', { name: 'you cannot access this page' })).toBeVisible()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/api/user/verify-page')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
  })

  test('shows a newly granted page in the menu after a reload', async ({ page, server, signIn }) => {
    const { _id } = await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await server.db
      .updateTable('staff')
      .set({ pages: [2, 7] })
      .where('id', '=', _id)
      .execute()
    await page.reload()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Location' }).click()
    await expect(page.getByRole('heading', { name: 'Locations' })).toBeVisible()
  })

  test('searches all records by keyboard and opens the chosen one', async ({ page, server, signIn }) => {
    const location = await buildLocation(server.db, { name: 'Harbour House' })
    await buildPod(server.db, { title: 'Harbour Pod', location_id: location.id })
    await signIn([3, 7])
    await page.goto('/location')
    await expect(page.getByRole('heading', { name: 'Locations' })).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search...')).toBeFocused()
    await page.keyboard.type('harbour')
    const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await expect(found).toHaveCount(2)
    await expect(found.first()).toContainText('Harbour Pod')
    await page.keyboard.press('ArrowDown')
    await expect(found.nth(1)).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/location?search=Harbour+House')
    await expect(page.getByRole('heading', { name: 'Harbour House' })).toBeVisible()
    await page.getByPlaceholder('Search...').fill('nowhere at all')
    await expect(page.getByText('Nothing found. Try fewer or other words.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Nothing found. Try fewer or other words.')).toBeHidden()
    await page.getByPlaceholder('Search...').fill('')
    await page.keyboard.insertText('x'.repeat(10_000))
    await expect(page.getByPlaceholder('Search...')).toHaveValue('x'.repeat(200))
  })

  test('finds a booking that one made with only page 9, and opens its own page', async ({ page, server, signIn }) => {
    const pod = await buildPod(server.db, { title: 'Harbour Pod' })
    const { _id } = await signIn([9])
    const booking = await buildBooking(server.db, { pod_id: pod.id, staff_id: _id })
    await page.goto('/corporate-booking')
    await expect(page.getByPlaceholder('Select Pod')).toBeVisible()
    await page.getByPlaceholder('Search...').fill('harbour')
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').click()
    await expect(page).toHaveURL(`/booking/${booking.id}`)
    await expect(page.getByRole('main').getByText('Harbour Pod').first()).toBeVisible()
  })

  test('says so when none of the records that the search finds may be seen', async ({ page, server, signIn }) => {
    await buildPod(server.db, { title: 'Harbour Pod' })
    await signIn([8])
    await page.goto('/assign-role')
    await page.getByPlaceholder('Search...').fill('harbour')
    await expect(page.getByText('You do not have access to any records that this search finds.')).toBeVisible()
  })

  test('selects the last hit when fewer come than an arrow key has passed', async ({ page, server, signIn }) => {
    await signIn([3])
    for (const name of ['Amber', 'Beacon', 'Cedar']) await buildPod(server.db, { title: `Room ${name}` })
    await page.goto('/pods')
    const field = page.getByPlaceholder('Search...')
    const found = page.getByRole('listbox', { name: 'Found' })
    const hits = found.getByRole('option')
    await field.fill('room')
    await expect(hits).toHaveCount(3)
    // Pressed while the hits of the earlier words are still shown.
    await field.pressSequentially(' amber')
    await field.press('ArrowDown')
    await field.press('ArrowDown')
    await expect(hits).toHaveCount(1)
    await expect(found.getByRole('option', { selected: true })).toContainText('Room Amber')
    await field.press('Enter')
    await expect(page).toHaveURL('/pods?search=Room+Amber')
  })

  test('shows an error with Retry when the search fails', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildLocation(server.db, { name: 'Harbour House' })
    await signIn([7])
    await page.goto('/location')
    await page.route('**/api/search?*', (route) => route.abort())
    await page.getByPlaceholder('Search...').fill('harbour')
    const results = page.getByRole('banner').getByRole('alert')
    await expect(results).toContainText('The server cannot be reached.')
    await page.unroute('**/api/search?*')
    await results.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('option', { name: 'Harbour House' })).toBeVisible()
  })

  test('links to the app in both app stores', async ({ page, signIn }) => {
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Download App' }).click()
    const dialog = page.getByRole('dialog', { name: 'Download App' })
    await expect(dialog.getByRole('link', { name: 'App Store' })).toHaveAttribute(
      'href',
      'https://apps.example.com/podkeeper',
    )
    await expect(dialog.getByRole('link', { name: 'Google Play' })).toHaveAttribute(
      'href',
      'https://play.example.com/podkeeper',
    )
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  test('has its menu in a drawer on a phone', async ({ page, signIn }) => {
    await page.setViewportSize(PHONE)
    await signIn([2, 7])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByRole('link', { name: 'Features' })).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page)
    await drawer.getByRole('link', { name: 'Location' }).click()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL('/location')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  })

  test('keeps clear of the notch of a phone that lies on its side', async ({ page, signIn }) => {
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    // What is measured must not be on its way.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn()
    const devtools = await page.context().newCDPSession(page)
    // Newer than the types of Playwright.
    const insets = { left: 47, right: 47, bottom: 21 }
    await devtools.send('Emulation.setSafeAreaInsetsOverride' as 'Emulation.setEmulatedMedia', { insets } as object)
    await page.goto('/features')
    const edges = async (of: Locator) => {
      const box = await of.boundingBox()
      return [box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)] as const
    }
    const menuButton = page.getByRole('button', { name: 'Open menu' })
    expect((await edges(menuButton))[0]).toBeGreaterThanOrEqual(insets.left)
    const search = await edges(page.getByRole('combobox', { name: 'Search' }))
    expect(search[1]).toBeLessThanOrEqual(PHONE.height - insets.right)
    await menuButton.click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    // In its first frame the menu may still be where it slides in from.
    const features = menu.getByRole('link', { name: 'Features' })
    await expect.poll(async () => (await edges(features))[0]).toBeGreaterThanOrEqual(insets.left)
    // The menu scrolls with its foot, which would fill the height.
    const signOut = menu.getByRole('button', { name: 'Sign Out' })
    await expect(signOut).not.toBeInViewport()
    await signOut.scrollIntoViewIfNeeded()
    const box = await signOut.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(PHONE.width - insets.bottom + 1)
  })

  test('shows whole words on hover, over dialogs too and within the window', async ({ page, server, signIn }) => {
    await signIn([3, 6])
    const pod = await buildPod(server.db, { title: 'Aurora on the ninth floor' })
    await page.goto('/pods')
    const tooltip = page.locator(':popover-open')
    await page.getByRole('button', { name: `Delete ${pod.title}` }).hover()
    await expect(tooltip).toHaveText(`Delete ${pod.title}`)
    const box = await tooltip.boundingBox()
    expect(box?.height, 'one line').toBeLessThan(32)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1440)
    await page.getByRole('button', { name: `History ${pod.title}` }).click()
    await expect(tooltip).toHaveCount(0)
    await page.keyboard.press('Escape')

    const booking = await buildBooking(server.db, { pod_id: pod.id })
    await page.goto('/booking')
    await page.getByRole('table').getByRole('link', { name: pod.title }).click()
    const copy = page.getByRole('dialog').getByRole('button', { name: /^Copy id / })
    await copy.scrollIntoViewIfNeeded()
    await copy.hover()
    await expect(tooltip).toHaveText(booking.id)
  })

  test('prints dark on white, whatever colours were chosen for the screen', async ({ page, signIn }) => {
    await signIn([2])
    await page.goto('/features')
    const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    expect(await isDark()).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await isDark()).toBe(false)
  })

  test('prints a list without what can only be used on the screen', async ({ page, server, signIn }) => {
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/pods')
    const pods = page.getByRole('table', { name: 'Pods' })
    const ofScreen = [
      pods.getByRole('columnheader', { name: 'Operations' }),
      page.getByRole('searchbox', { name: 'Search pods' }),
      page.getByRole('navigation', { name: 'Main' }),
      page.getByRole('button', { name: 'Create Pods' }),
      page.getByRole('button', { name: 'Next page' }),
    ]
    for (const one of ofScreen) await expect(one).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(pods.getByText('Aurora')).toBeVisible()
    for (const one of ofScreen) await expect(one).toBeHidden()
  })

  test('shows what is chosen or open in forced colours', async ({ page, server, signIn }) => {
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await page.emulateMedia({ forcedColors: 'active' })
    const isMarked = async (one: Locator) => expect(one).toHaveCSS('outline-style', 'solid')
    const isPlain = async (one: Locator) => expect(one).toHaveCSS('outline-style', 'none')
    await page.goto('/messages?show=keys')
    const tabs = page.getByRole('navigation', { name: 'Messages' })
    await isMarked(tabs.getByRole('link', { name: 'API keys' }))
    await isPlain(tabs.getByRole('link', { name: 'Mails' }))

    await page.keyboard.press('Control+k')
    await page.keyboard.type('go to')
    const options = page.getByRole('dialog').getByRole('option')
    await isMarked(options.first())
    await isPlain(options.last())
    await page.keyboard.press('Escape')

    await page.goto('/corporate-booking')
    await page.getByRole('combobox', { name: 'Pod' }).fill('aur')
    const pod = page.getByRole('option', { name: 'Aurora' })
    await expect(pod).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await isMarked(pod)
    await page.keyboard.press('Escape')

    // The shadow that sets a menu apart from what is below it is not drawn either.
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Download All' }).click()
    await isMarked(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add Staff' }).click()
    await page.getByRole('checkbox', { name: 'Dashboard' }).check()
    const level = (name: string) =>
      page.locator('label').filter({ has: page.getByRole('radio', { name, exact: true }) })
    await isMarked(level('Edit'))
    await isPlain(level('View'))
  })
})
