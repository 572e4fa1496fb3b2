import type { CDPSession, Page } from '@playwright/test'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { findFreePort } from '#server/testing/server-process.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/**
 * Browsers create passkeys only for a host name, not an IP address, and the server must know that address as its own.
 * So these tests have their own server.
 */
let server: TestServer
let url: string

test.beforeAll(async () => {
  const port = await findFreePort()
  url = `http://localhost:${port}`
  server = await startTestServer({ PORT: String(port), PUBLIC_URL: url })
})
test.beforeEach(() => server.reset())
test.afterAll(() => server.close())

/** Adds a virtual device that stores passkeys and recognises its owner. */
async function addDevice(page: Page) {
  const client: CDPSession = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    countPasskeys: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    remove: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** With false, the device acts as if somebody else were holding it. */
    recognise: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const passkeysOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** Opens Your account and adds a passkey; leaves the recovery codes on the screen if there are any. */
async function add(page: Page, name: string) {
  await page.goto(`${url}/account`)
  await passkeysOf(page).getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
}

async function givePassword(page: Page, email: string) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test.describe('A passkey', () => {
  test('is not made by the device while its name is too long', async ({ page }) => {
    await signInAs(page, server, [2])
    const device = await addDevice(page)
    await add(page, 'x'.repeat(61))
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/at most 60 characters/)
    expect(await device.countPasskeys()).toBe(0)
    await dialog.getByLabel('Name').fill('x'.repeat(60))
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByRole('dialog', { name: 'Recovery codes' })).toBeVisible()
    expect(await device.countPasskeys()).toBe(1)
  })

  test('can be added, renamed and removed, and then no longer signs in', async ({ page }) => {
    expectConsoleErrors(/401/)
    await signInAs(page, server, [2])
    await addDevice(page)
    await page.goto(`${url}/account`)
    await expect(passkeysOf(page)).toContainText('No passkey yet.')
    await passkeysOf(page).getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await add(page, 'Laptop')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
    await codes.getByRole('button', { name: 'I have kept them' }).click()
    const row = passkeysOf(page).getByRole('row', { name: /Laptop/ })
    await expect(row).toContainText('Never')
    const factor = page.getByRole('region', { name: 'Second factor' })
    await expect(factor).toContainText('You sign in with your password and a passkey.')
    await expect(factor).toContainText('10 recovery codes are left.')
    await expectAccessible(page)

    // Adding a passkey on the same device again is refused.
    await add(page, 'Again')
    await expect(page.getByRole('dialog')).toContainText('has a passkey of yours already')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()

    await row.getByRole('button', { name: /Rename/ }).click()
    const rename = page.getByRole('dialog', { name: 'Rename passkey' })
    await rename.getByLabel('Name').fill('')
    await rename.getByRole('button', { name: 'Save' }).click()
    await expect(rename.getByLabel('Name')).toHaveAccessibleDescription(/Name is required/)
    await rename.getByLabel('Name').fill('Old laptop')
    await rename.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Passkey renamed')).toBeVisible()
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await passkeysOf(page)
      .getByRole('row', { name: /Old laptop/ })
      .getByRole('button', { name: /Remove/ })
      .click()
    await expect(page.getByRole('alertdialog')).toContainText('Your password alone signs you in then')
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(passkeysOf(page)).toContainText('No passkey yet.')
    await expect(factor).toContainText('Off')
    // The device still has the removed passkey.
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('This passkey does not sign you in here.')
  })

  test('signs a person in without a password, or as second factor after the password, which a recovery code can replace', async ({
    page,
  }) => {
    expectConsoleErrors(/403/)
    const me = await signInAs(page, server, [2])
    await addDevice(page)
    await add(page, 'Laptop')
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    const [recovery = ''] = await codes.allTextContents()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(heading(page)).toHaveText('Features')
    await page.goto(`${url}/account`)
    await expect(passkeysOf(page).getByRole('row', { name: /Laptop/ })).not.toContainText('Never')

    await page.getByRole('button', { name: 'Sign Out' }).click()
    await givePassword(page, me.email)
    await expect(heading(page)).toHaveText('Use your passkey')
    await expect(page.getByRole('button', { name: 'Use passkey' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Use your authenticator app' })).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('Features')

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await givePassword(page, me.email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('Signed in with a recovery code. 9 left.')).toBeVisible()
    await expect(heading(page)).toHaveText('Features')
  })

  test('is optional: signing in accepts a code of the app instead, and offers a recovery code', async ({ page }) => {
    expectConsoleErrors(/40[13]/)
    const me = await signInAs(page, server, [2])
    const { key } = await buildSecondFactor(server.db, me._id)
    const device = await addDevice(page)
    await add(page, 'Phone')
    await expect(page.getByText('Passkey added', { exact: true })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await givePassword(page, me.email)
    await expect(heading(page)).toHaveText('Use your passkey')
    // The passkey is not on this device.
    await device.remove()
    await addDevice(page)
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('No passkey was used')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(heading(page)).toHaveText('Enter a recovery code')
    await page.getByRole('button', { name: 'Use your authenticator app' }).click()
    await expect(heading(page)).toHaveText('Enter your code')
    await page.getByLabel('Code', { exact: true }).fill(toCode(key, new Date()))
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(heading(page)).toHaveText('Features')
  })

  test('causes an error when missing or when the device does not recognise its owner, and typed text is kept', async ({
    page,
  }) => {
    expectConsoleErrors(/403/)
    const staff = await buildStaff(server.db, { pages: [2] })
    const device = await addDevice(page)
    await page.goto(`${url}/login`)
    await page.getByLabel('Email Address').fill(staff.email)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('No passkey was used')
    await expect(page.getByLabel('Email Address')).toHaveValue(staff.email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(heading(page)).toHaveText('Features')
    await device.recognise(false)
    await add(page, 'Phone')
    await expect(page.getByRole('dialog')).toContainText('No passkey was used')
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Phone')
    await device.recognise(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByRole('dialog', { name: 'Recovery codes' })).toBeVisible()
  })

  test('can be set up while signing in when a second factor is required', async ({ page }) => {
    expectConsoleErrors(/403/)
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    const staff = await buildStaff(server.db, { pages: [2] })
    await addDevice(page)
    await givePassword(page, staff.email)
    await expect(heading(page)).toHaveText('Set up a second factor')
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await expect(heading(page)).toHaveText('Keep your recovery codes')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect(heading(page)).toHaveText('Features')
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('link', { name: 'Your account' }).click()
    const remove = passkeysOf(page).getByRole('button', { name: /^Remove/ })
    await expect(remove).toHaveAccessibleDescription('It is your only second factor, and everyone here needs one.')
    await expect(remove).toHaveAttribute('aria-disabled', 'true')
  })
})
