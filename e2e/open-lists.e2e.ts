import type { Page } from '@playwright/test'
import { buildFeature, buildPod, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, PHONE, test } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

type Opened = {
  name: string
  build?: (server: TestServer) => Promise<unknown>
  path: string
  size?: { width: number; height: number }
  open: (page: Page) => Promise<void>
}

const option = (page: Page) => page.getByRole('listbox').getByRole('option').first()

/** One example of each kind of list that opens over a screen. */
const opened: readonly Opened[] = [
  {
    name: 'a menu',
    path: '/user-details',
    open: async (page) => {
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'the menu of a card on a phone',
    path: '/user-details',
    size: PHONE,
    build: ({ db }) => buildUser(db),
    open: async (page) => {
      await page.getByRole('button', { name: /^Actions for/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'the sidebar on a phone',
    path: '/features',
    size: PHONE,
    open: async (page) => {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
  },
  {
    name: 'records to filter by',
    path: '/booking',
    build: async ({ db }) => {
      for (let number = 0; number < 12; number++) await buildPod(db)
    },
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Pod' }).click()
      await expect(option(page)).toBeVisible()
    },
  },
  {
    name: 'several choices in a dialog',
    path: '/pods',
    build: async ({ db }) => {
      for (let number = 0; number < 12; number++) await buildFeature(db, { name: `Feature ${number}` })
    },
    open: async (page) => {
      await page.getByRole('button', { name: 'Create Pods' }).first().click()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Features' }).click()
      await expect(option(page)).toBeVisible()
    },
  },
  {
    name: 'a question',
    path: '/features',
    build: ({ db }) => buildFeature(db, { name: 'Wi-Fi' }),
    open: async (page) => {
      await page.getByRole('button', { name: /^Delete Wi-Fi/ }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
]

test.describe('Open menus, lists and dialogs', () => {
  for (const { name, build, path, size, open } of opened) {
    test(`are accessible: ${name}`, async ({ page, server, signIn }) => {
      await signIn()
      await build?.(server)
      if (size) await page.setViewportSize(size)
      await page.goto(path)
      await open(page)
      await expectAccessible(page)
    })
  }

  test('are accessible: the header’s search with results, with aria-expanded set', async ({ page, server, signIn }) => {
    await signIn()
    // More records than the list shows at once, so that it scrolls.
    for (let number = 0; number < 8; number++) await buildPod(server.db, { title: `Jacaranda ${number}` })
    for (let number = 0; number < 8; number++) await buildUser(server.db, { firstname: 'Jacaranda' })
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.goto('/features')
    const field = page.getByRole('combobox', { name: 'Search', exact: true })
    await expect(field).toHaveAttribute('aria-expanded', 'false')
    await field.fill('jacaranda')
    const list = page.getByRole('listbox', { name: 'Found' })
    await expect(list.getByRole('option').first()).toBeVisible()
    await expect(field).toHaveAttribute('aria-expanded', 'true')
    expect(await list.evaluate((node) => node.scrollHeight > node.clientHeight)).toBe(true)
    await expectAccessible(page)
  })

  test('are accessible: the header’s search without results', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/features')
    const field = page.getByRole('combobox', { name: 'Search', exact: true })
    await field.fill('nothing like it')
    await expect(page.getByText('Nothing found. Try fewer or other words.')).toBeVisible()
    await expect(field).toHaveAttribute('aria-expanded', 'false')
    await expectAccessible(page)
  })
})
