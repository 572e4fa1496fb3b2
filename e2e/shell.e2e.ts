import type { Locator } from '@playwright/test'
import { buildFeature, buildPod } from '#server/testing/factories.ts'
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
    // At a zoom of 400 % the menu scrolls, but its first link still has the focus.
    await page.setViewportSize({ width: 320, height: 256 })
    await page.keyboard.press('Enter')
    await expect(drawer.getByRole('link', { name: 'Podkeeper home' })).toBeFocused()
  })

  test('has its menu in a drawer on a tablet and in half a window, which leaves the room to tables', async ({
    browser,
    page,
    signIn,
    server,
  }) => {
    const tablet = await browser.newContext({ isMobile: true, hasTouch: true })
    const onTablet = await tablet.newPage()
    await signIn([6])
    await signIn([6], {}, onTablet)
    for (const [screen, least] of [
      [page, 1024],
      [onTablet, 1280],
    ] as const) {
      await screen.setViewportSize({ width: least - 1, height: 820 })
      await screen.goto(`${server.url}/booking`)
      const sidebar = screen.getByRole('complementary', { name: 'Sidebar' })
      const menu = screen.getByRole('button', { name: 'Open menu' })
      await expect(menu).toBeVisible()
      await expect(sidebar).toBeHidden()
      await screen.setViewportSize({ width: least, height: 820 })
      await expect(menu).toBeHidden()
      await expect(sidebar).toBeVisible()
    }
    await tablet.close()
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

  test('leaves the header of a phone to what is in it while a failure is shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([2])
    await page.setViewportSize(PHONE)
    const { name } = await buildFeature(server.db)
    await page.route('**/block-features/**', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/features')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Block' }).click()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  })

  test('prints dark on white, whatever colours were chosen for the screen', async ({ page, signIn }) => {
    await signIn([2])
    await page.goto('/features')
    const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
    const dark = page.getByRole('radio', { name: 'Dark' })
    await dark.click({ force: true })
    await expect(dark).toBeChecked()
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
