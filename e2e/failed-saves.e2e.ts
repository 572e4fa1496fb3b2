import type { Locator, Page } from '@playwright/test'
import { businessDay } from './business-day.ts'
import { choose } from './choose.ts'
import { BUSY, buildOneOfEach, DOWN } from './failures.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'

type Form = {
  name: string
  request: string
  /** Opens and fills in the form; returns it with the name of its submit button and one of its fields. */
  open: (page: Page) => Promise<{ form: Locator; submit: string; field: Locator }>
  /** The text that the field must still contain. */
  typed: string
  /** What is visible once the form was saved. */
  saved: (page: Page) => Locator
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

const forms: readonly Form[] = [
  {
    name: 'Add New Staff',
    request: '**/api/user/register-staff',
    open: async (page) => {
      await page.goto('/assign-role')
      await page.getByRole('button', { name: 'Add Staff' }).click()
      const form = dialogOf(page, 'Add New Staff')
      await form.getByLabel('First name').fill('Lerato')
      await form.getByLabel('Email').fill('lerato@example.com')
      await form.getByLabel('Bookings').check()
      return { form, submit: 'Add Staff', field: form.getByLabel('Email') }
    },
    typed: 'lerato@example.com',
    saved: (page) => page.getByText('Staff added successfully'),
  },
  {
    name: 'Edit Staff',
    request: '**/api/user/edit-staff/*',
    open: async (page) => {
      await page.goto('/assign-role')
      await page.getByRole('button', { name: 'Edit Sipho Zulu' }).click()
      const form = dialogOf(page, 'Edit Staff')
      await form.getByLabel('Role', { exact: true }).fill('Night shift')
      return { form, submit: 'Save changes', field: form.getByLabel('Role', { exact: true }) }
    },
    typed: 'Night shift',
    saved: (page) => page.getByText('Staff updated successfully'),
  },
  {
    name: 'Manage Rate',
    request: '**/api/transactions/ManageRates',
    open: async (page) => {
      await page.goto('/Transactions')
      await page.getByRole('button', { name: 'Manage Rate' }).click()
      const form = dialogOf(page, 'Manage Rate')
      await form.getByLabel('Rate').fill('4.75')
      return { form, submit: 'Submit', field: form.getByLabel('Rate') }
    },
    typed: '4.75',
    saved: (page) => page.getByText('Rate updated successfully'),
  },
  {
    name: 'Manage discount',
    request: '**/api/transactions/ManageDiscount',
    open: async (page) => {
      await page.goto('/Transactions')
      await page.getByRole('button', { name: 'Manage Discount' }).click()
      const form = dialogOf(page, 'Manage discount')
      await form.getByLabel('Discount').fill('25')
      return { form, submit: 'Submit', field: form.getByLabel('Discount') }
    },
    typed: '25',
    saved: (page) => page.getByText('Discount updated successfully'),
  },
  {
    name: 'Create New Feature',
    request: '**/api/location/create-features',
    open: async (page) => {
      await page.goto('/features')
      await page.getByRole('button', { name: 'Create Feature' }).click()
      const form = dialogOf(page, 'Create New Feature')
      await form.getByLabel('Feature Name').fill('Standing desk')
      await form.getByLabel('Icon Name').fill('desk')
      return { form, submit: 'Submit', field: form.getByLabel('Feature Name') }
    },
    typed: 'Standing desk',
    saved: (page) => page.getByText('Feature created successfully'),
  },
  {
    name: 'Edit Location',
    request: '**/api/location/edit-location/*',
    open: async (page) => {
      await page.goto('/location')
      await page.getByRole('button', { name: 'Edit Dock House' }).click()
      const form = dialogOf(page, 'Edit Location')
      await form.getByLabel('Street').fill('21 Dock Road')
      return { form, submit: 'Save changes', field: form.getByLabel('Street') }
    },
    typed: '21 Dock Road',
    saved: (page) => page.getByText('Location updated successfully'),
  },
  {
    name: 'Edit Pod',
    request: '**/api/product/edit-pods/*',
    open: async (page) => {
      await page.goto('/pods')
      await page.getByRole('button', { name: 'Edit Aurora' }).click()
      const form = dialogOf(page, 'Edit Pod')
      await form.getByLabel('Title').fill('Aurora North')
      await choose(form.getByRole('combobox', { name: 'Features' }), 'Projector')
      return { form, submit: 'Save changes', field: form.getByLabel('Title') }
    },
    typed: 'Aurora North',
    saved: (page) => page.getByText('Pod updated successfully!'),
  },
  {
    name: 'Corporate Booking',
    request: '**/api/user/create-booking/*',
    open: async (page) => {
      await page.goto('/corporate-booking')
      await page.getByRole('combobox', { name: 'Purpose' }).selectOption('work')
      await choose(page.getByRole('combobox', { name: 'Pod' }), 'Aurora')
      await page.getByLabel('Date').fill(businessDay(3))
      await page.getByRole('button', { name: /^Time Slots/ }).click()
      const slots = dialogOf(page, 'Select Time Slots')
      for (const mark of ['2:00 PM', '3:30 PM']) await slots.getByRole('button', { name: mark, exact: true }).click()
      await slots.getByRole('button', { name: 'Done' }).click()
      const form = page.getByRole('form', { name: 'Corporate Booking' })
      await expect(form.getByRole('button', { name: /^Time Slots/ })).toContainText('2:00 PM - 3:30 PM')
      return { form, submit: 'Create Booking', field: form.getByRole('combobox', { name: 'Pod' }) }
    },
    typed: 'Aurora',
    saved: (page) => page.getByRole('article', { name: 'Booking of Aurora' }),
  },
]

/**
 * Creations are retried automatically, with an idempotency key that makes them count once; other changes are retried by
 * the person after a few automatic tries.
 */
const creations = new Set(['Add New Staff', 'Create New Feature', 'Corporate Booking'])

test.describe('When the server is overloaded and then the connection is lost while saving', () => {
  for (const { name, request, open, typed, saved } of forms) {
    test(`${name} keeps its input, and saves once the server accepts the request`, async ({ page, server, signIn }) => {
      expectConsoleErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|503/)
      await buildOneOfEach(server)
      await signIn(undefined, { firstname: 'Sipho', lastname: 'Zulu' })
      const { form, submit, field } = await open(page)

      // The server did not carry it out, and it is not sent again unless the person does so.
      let refused = 0
      await page.route(request, (route) => {
        refused += 1
        const headers = { 'retry-after': '0' }
        return route.fulfill({ status: 503, headers, json: { message: BUSY, code: 'overloaded' } })
      })
      await form.getByRole('button', { name: submit }).click()
      await expect(form.getByRole('alert')).toContainText(BUSY)
      expect(refused).toBe(1)
      await expect(field).toHaveValue(typed)
      await page.unroute(request)

      const keys = new Set<string | undefined>()
      await page.route(request, (route) => {
        keys.add(route.request().headers()['idempotency-key'])
        return route.abort('internetdisconnected')
      })
      // The booking form sends at most once in three seconds, so the click is repeated.
      await expect(async () => {
        await form.getByRole('button', { name: submit }).click({ timeout: 1000 })
        await expect(form.getByText('Connection lost. Trying again…').or(form.getByText(DOWN))).toBeVisible({
          timeout: 1500,
        })
      }).toPass()
      await expect(field).toHaveValue(typed)
      if (creations.has(name)) {
        await page.unroute(request)
        await expect(saved(page)).toBeVisible()
        expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
      } else {
        await expect(form.getByRole('alert')).toContainText(DOWN)
        await page.unroute(request)
        await form.getByRole('button', { name: submit }).click()
        await expect(saved(page)).toBeVisible()
      }
      await expect(form).toBeHidden()
    })
  }
})

test('shows the error and keeps the input when a person makes too many changes in a minute', async ({
  page,
  signIn,
}) => {
  expectConsoleErrors(/429/)
  await signIn()
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature' }).click()
  const form = dialogOf(page, 'Create New Feature')
  await form.getByLabel('Feature Name').fill('Standing desk')
  await form.getByLabel('Icon Name').fill('desk')
  const message = 'One person may make 600 changes and files a minute. Try again in 12 s.'
  await page.route('**/api/location/create-features', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '12' },
      json: { message, code: 'too_many_requests' },
    }),
  )
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form.getByRole('alert')).toContainText(message)
  await expect(form.getByLabel('Feature Name')).toHaveValue('Standing desk')
  await page.unroute('**/api/location/create-features')
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form).toBeHidden()
})
