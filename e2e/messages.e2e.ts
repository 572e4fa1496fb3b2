import { renderMail } from '#server/modules/mail/mail-template.ts'
import { buildLocation, buildMail, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

test.describe('The Messages screen', () => {
  test('lists mails newest first, filters them by state, and shows the contents of one', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/sandboxed/, /409/)
    await signIn([8])
    for (let n = 0; n < 12; n++) await buildMail(server.db, { to_name: `Person ${n}`, state: 'sent', tries: 1 })
    await buildMail(server.db, {
      to_name: 'Lerato Mokoena',
      kind: 'new-sign-in',
      subject: 'New sign-in',
      state: 'failed',
      tries: 3,
      response: '550 5.1.1 no such person',
      html: '<head></head><h1>Someone signed in</h1><a href="/favicon.svg">Sign in</a><script>document.title = "taken over"</script>',
      text: 'Hello Lerato',
      created_at: new Date('2026-11-21T10:00:00.000Z'),
    })
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click()
    await expect(page).toHaveURL('/messages')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Messages')
    const table = page.getByRole('table', { name: 'Mails' })
    await expect(table.getByRole('row')).toHaveCount(11)
    await expect(table.getByRole('row').nth(1)).toContainText('Lerato Mokoena')
    await page.getByLabel('Status', { exact: true }).selectOption('failed')
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(page).toHaveURL(/\/messages\?state=failed$/)

    await table.getByRole('button', { name: 'Read' }).click()
    const dialog = page.getByRole('dialog', { name: 'New sign-in' })
    await expect(dialog.getByText('550 5.1.1 no such person (3 tries)')).toBeVisible()
    const mail = dialog.frameLocator('iframe')
    await expect(mail.getByRole('heading')).toHaveText('Someone signed in')
    await expect(page).toHaveTitle('Messages · Podkeeper')
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      mail.getByRole('link', { name: 'Sign in' }).click(),
    ])
    await expect(opened).toHaveURL('/favicon.svg')
    await opened.close()
    await dialog.getByRole('button', { name: 'As text' }).click()
    await expect(dialog.getByText('Hello Lerato')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).click()

    // No mail server is configured in this test.
    await table.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('Mails cannot be sent from here yet.')).toBeVisible()
  })

  test('fits on a phone, and offers a retry when the list cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await page.setViewportSize(PHONE)
    await signIn([8])
    await page.goto('/messages')
    await expect(page.getByText('Mails appear here as soon as one is written')).toBeVisible()
    await buildMail(server.db, { subject: 'A subject that is long enough for two lines on any phone there is' })
    await page.route('**/mails?*', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await page.unroute('**/mails?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('A subject that is long enough')).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('wraps words in a mail that are wider than a phone', async ({ page, server, signIn }) => {
    expectConsoleErrors(/sandboxed/)
    await signIn([8])
    const long = 'W'.repeat(100)
    const content = { subject: long, name: 'Johan', paragraphs: [long], facts: { Pod: long }, note: 'A test' }
    await buildMail(server.db, { to_name: 'Johan', ...renderMail(content, 'Podkeeper') })
    await page.setViewportSize(PHONE)
    await page.goto('/messages')
    await page.getByRole('button', { name: /^Actions for W/ }).click()
    await page.getByRole('menuitem', { name: 'Read' }).click()
    const mail = page.getByRole('dialog').frameLocator('iframe')
    await expect(mail.getByRole('heading')).toHaveText(long)
    expect(await mail.locator('html').evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    const countLines = (node: Element) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getClientRects().length
    }
    expect(await mail.locator('td').getByText('Pod', { exact: true }).evaluate(countLines)).toBe(1)
  })

  test('edits a template with a preview, and shows the mail written from it for a booking', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/sandboxed/)
    await signIn([6, 8, 9])
    const user = await buildUser(server.db, { firstname: 'Johan', email: 'johan@example.com' })
    const pod = await buildPod(server.db, { title: 'Nest' })
    await page.goto('/messages')
    await page.getByRole('navigation', { name: 'Messages' }).getByRole('link', { name: 'To customers' }).click()
    await expect(page).toHaveURL('/messages?show=templates')
    await expect(page.getByText('No mail server is set here')).toBeVisible()
    await expectAccessible(page)
    const row = page.getByRole('table', { name: 'Messages to customers' }).getByRole('row', { name: /^Booked/ })
    await row.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Message: Booked' })
    await dialog.getByLabel('Subject').fill('Welcome, ')
    await dialog.getByRole('button', { name: '{name}', exact: true }).click()
    await expect(dialog.getByLabel('Subject')).toHaveValue('Welcome, {name}')
    await dialog.getByLabel('Text').fill('{nmae}')
    await expect(dialog.getByLabel('Text')).toHaveAccessibleDescription(/^{nmae} is no placeholder/)
    // The preview, had it been asked for, would repeat it.
    await waitUntilQuiet(page)
    await expect(dialog.getByText('{nmae} is no placeholder')).toHaveCount(1)
    await dialog.getByLabel('Text').fill('{pod} waits for you <b>soon</b>.')
    const preview = dialog.frameLocator('iframe')
    await expect(preview.getByRole('heading')).toHaveText('Welcome, Lerato')
    await expect(preview.getByText('waits for you <b>soon</b>.')).toBeVisible()
    await expectAccessible(page)
    // A text that is too long is said at its field alone, too.
    await dialog.getByLabel('Text').fill('x'.repeat(5001))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Text')).toHaveAccessibleDescription(/at most 5000 characters/)
    await waitUntilQuiet(page)
    await expect(dialog.getByText('Text may have at most 5000 characters')).toHaveCount(1)
    await expect(preview.getByText('waits for you <b>soon</b>.')).toBeVisible()
    await dialog.getByLabel('Text').fill('{pod} waits for you <b>soon</b>.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('Your own')
    await page.getByLabel(/^Waterfront/).selectOption('24')
    await expect(page.getByText('Saved').last()).toBeVisible()

    const created = await page.request.post('/api/bookings', {
      headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` },
      data: {
        podId: pod.id,
        bookingPurpose: 'meeting',
        bookingDate: businessDay(1),
        startTime: wallTime(businessDay(1), '09:00').toISOString(),
        endTime: wallTime(businessDay(1), '10:00').toISOString(),
        for: { kind: 'customer', userId: user.id },
      },
    })
    expect(created.status()).toBe(201)
    const { booking } = await created.json()
    await page.goto(`/booking/${booking._id}`)
    await page.getByRole('button', { name: 'Send confirmation' }).click()
    await expect(page.getByText('The confirmation is written, but not sent: no mail server is set here.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Mails' })).toContainText('Booked · johan@example.com')
    await page.getByRole('button', { name: /^Read Booked, today/ }).click()
    const read = page.getByRole('dialog', { name: 'Welcome, Johan' })
    await expect(read.frameLocator('iframe').getByText('Nest waits for you')).toBeVisible()

    await page.goto('/messages')
    const mails = page.getByRole('table', { name: 'Mails' })
    await expect(mails.getByRole('link', { name: 'Johan' })).toHaveAttribute('href', `/user-details/${user.id}`)
    await mails.getByRole('button', { name: 'Read' }).click()
    const mail = page.getByRole('dialog', { name: 'Welcome, Johan' })
    await expect(mail.getByRole('link', { name: 'Johan' })).toHaveAttribute('href', `/user-details/${user.id}`)
    await expect(mail.frameLocator('iframe').getByText('Nest waits for you')).toBeVisible()
    await expect(mail.frameLocator('iframe').getByAltText('QR code of your booking')).toBeVisible()
    await mail.getByRole('button', { name: 'Calendar file' }).click()
    await expect(mail.getByText(`UID:${booking._id}`)).toBeVisible()

    await page.setViewportSize(PHONE)
    await page.goto('/messages?show=templates')
    await expect(page.getByText('When a booking is made for them')).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('shows every tab on a phone, and no button for filters where there are none', async ({ page, signIn }) => {
    await signIn([8])
    await page.setViewportSize(PHONE)
    await page.goto('/messages')
    const tab = page.getByRole('navigation', { name: 'Messages' }).getByRole('link', { name: 'Failed work' })
    await expect(tab).toBeInViewport({ ratio: 1 })
    await tab.click()
    await expect(page.getByRole('searchbox', { name: 'Search failed work' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Filters/ })).toHaveCount(0)
  })

  test('are sent as many hours before as the arrow keys choose, one press after the other', async ({
    page,
    server,
    signIn,
  }) => {
    const location = await buildLocation(server.db, { name: 'Rosebank' })
    await signIn([8])
    await page.goto('/messages?show=templates')
    const hours = page.getByLabel('Rosebank')
    await hours.focus()
    const release = await holdRoute(page, '**/api/**')
    for (const [press, shown] of ['1 hour before', '2 hours before', '3 hours before'].entries()) {
      await page.keyboard.press('ArrowDown')
      await expect(hours.locator('option:checked'), `press ${press + 1}`).toHaveText(shown)
    }
    await release()
    await expect
      .poll(() => server.db.selectFrom('locations').select(['reminder_hours', 'version']).executeTakeFirst())
      .toEqual({ reminder_hours: 3, version: location.version + 3 })
    await expect(hours).toHaveValue('3')
    await expect(hours).toBeFocused()
    await expect(page.getByRole('region', { name: 'Messages', exact: true }).getByRole('alert')).toHaveCount(0)
  })

  test('says that nobody is reminded while the message is off', async ({ page, server, signIn }) => {
    await buildLocation(server.db, { reminder_hours: 2 })
    await signIn([8])
    await page.goto('/messages?show=templates')
    const reminders = page.getByRole('region', { name: 'Reminders' })
    const note = 'The message ‘Reminder’ is off: nobody is reminded until it is on.'
    await expect(reminders).toContainText('How long before the start')
    await expect(reminders).not.toContainText(note)
    await page.getByRole('button', { name: 'Switch off Reminder' }).click()
    await expect(reminders).toContainText(note)
  })
})
