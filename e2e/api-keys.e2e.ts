import { buildApiKey, buildStaff } from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import { DOWN } from './failures.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const PATH = '/messages?show=keys'

test.describe('API keys', () => {
  test('can be created, are shown once, and can be edited and revoked', async ({ page, server, signIn, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn([6, 8])
    await page.goto('/messages')
    await page.getByRole('navigation', { name: 'Messages' }).getByRole('link', { name: 'API keys' }).click()
    await expect(page).toHaveURL(PATH)
    await expect(page.getByText('No other system is connected yet.')).toBeVisible()

    await page.getByRole('button', { name: 'Create API key' }).click()
    const create = page.getByRole('dialog', { name: 'Create API key' })
    await create.getByRole('button', { name: 'Create API key' }).click()
    await expect(create.getByText('Name is required')).toBeVisible()
    await expect(create.getByText('Choose at least one page')).toBeVisible()
    await create.getByLabel('Name', { exact: true }).fill('Door hardware')
    await create.getByRole('checkbox', { name: /^Booking/ }).check()
    await create.getByRole('checkbox', { name: /^Assign Role/ }).check()
    await expect(create.getByText('A key only views it')).toBeVisible()
    await expect(create.getByRole('checkbox', { name: 'Pods' })).toBeDisabled()
    await expect(create.getByLabel('Last day')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
    await create.getByRole('switch', { name: 'Never expires' }).check()
    await expect(create.getByText('It stays valid until somebody revokes it')).toBeVisible()
    await expectAccessible(page)
    await create.getByRole('button', { name: 'Create API key' }).click()

    const shown = page.getByRole('dialog', { name: 'API key' })
    const key = await shown.getByLabel('API key').innerText()
    expect(key).toMatch(/^podkey_[0-9a-f]{56}$/)
    await page.keyboard.press('Escape')
    await page.goBack()
    await shown.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await expectAccessible(page)
    const call = () => page.request.get('/api/arrivals', { headers: { authorization: `Bearer ${key}` } })
    expect((await call()).status()).toBe(200)
    await shown.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(key)

    const table = page.getByRole('table', { name: 'API keys' })
    await expect(table.getByText('2 pages, 1 view only')).toBeVisible()
    await expect(table.getByText('Never expires')).toBeVisible()

    await table.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit API key' })
    await edit.getByLabel('Name', { exact: true }).fill('Doors')
    await edit.getByRole('switch', { name: 'Never expires' }).uncheck()
    await edit.getByLabel('Last day').fill('2030-01-31')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(table.getByText('2030-01-31')).toBeVisible()

    await table.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'History of Doors' })
    await expect(history.getByText('changed the name and last day')).toBeVisible()
    await page.keyboard.press('Escape')

    await table.getByRole('button', { name: 'Revoke' }).click()
    const question = page.getByRole('alertdialog', { name: 'Revoke API key' })
    await expect(question.getByText('It was last used: today, ')).toBeVisible()
    await question.getByRole('button', { name: 'Revoke' }).click()
    await expect(table.getByText('Revoked', { exact: true })).toBeVisible()
    expect((await call()).status()).toBe(401)
    await page.getByLabel('Status').selectOption('Live')
    await expect(page.getByText('No API key matches these filters.')).toBeVisible()
    expect(await server.db.selectFrom('api_keys').select('name').execute()).toEqual([{ name: 'Doors' }])
  })

  test('can be chosen in Activity to filter the changes they made', async ({ page, server, signIn }) => {
    const door = await buildApiKey(server.db, { name: 'Door hardware', pages: [2] })
    const created_by = (await buildStaff(server.db)).id
    await buildApiKey(server.db, { name: 'Reports', created_by })
    await page.request.post('/api/location/create-features', {
      headers: { authorization: `Bearer ${door.key}` },
      data: { name: 'Whiteboard', icon: 'presentation' },
    })
    await signIn([2, 8])
    await page.goto('/activity')
    await expect(page.getByText('Door hardware (API key)')).toBeVisible()
    await choose(page.getByRole('combobox', { name: 'Person or key' }), 'Reports')
    await expect(page.getByText('No change matches these filters.')).toBeVisible()
    await choose(page.getByRole('combobox', { name: 'Person or key' }), 'Door', /Door hardware/)
    await expect(page.getByText('Whiteboard')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Person or key' })).toHaveValue('Door hardware')
  })

  test('are created once, and shown, when the first response was lost', async ({ page, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([6, 8])
    await page.goto(PATH)
    await page.getByRole('button', { name: 'Create API key' }).click()
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name', { exact: true }).fill('Door hardware')
    await form.getByRole('checkbox', { name: /^Booking/ }).check()
    let posts = 0
    await page.route('**/api/api-keys', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      posts += 1
      if (posts > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await form.getByRole('button', { name: 'Create API key' }).click()
    await expect(page.getByText(/^podkey_[0-9a-f]{56}$/)).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('table', { name: 'API keys' }).getByText('Door hardware')).toHaveCount(1)
    expect(posts).toBe(2)
  })

  test('are listed as they are when the responses to a change were lost', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildApiKey(server.db, { name: 'Door hardware' })
    await signIn([6, 8])
    await page.goto(PATH)
    const table = page.getByRole('table', { name: 'API keys' })
    await table.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit API key' })
    await form.getByLabel('Name', { exact: true }).fill('Doors')
    await page.route('**/api/api-keys/*', async (route) => {
      await route.fetch()
      return route.abort()
    })
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(form.getByRole('alert')).toContainText(DOWN)
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Doors')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(table.getByText('Doors')).toBeVisible()
  })

  test('fit a phone', async ({ page, server, signIn }) => {
    await page.setViewportSize(PHONE)
    const revoked_at = new Date()
    await buildApiKey(server.db, { name: 'The application of our customers in the Western Cape', revoked_at })
    await signIn([8])
    await page.goto(PATH)
    await expect(page.getByText('The application of our customers')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create API key' }).click()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
