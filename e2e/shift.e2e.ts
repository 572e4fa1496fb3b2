import type { Locator, Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { expect, PHONE, test } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

/**
 * A shift at the desk: typical requests by phone, each handled in three steps once its screen is open. A step is a
 * decision: a key or tap that does something, or a field that is filled in or chosen from. Moving with Tab or arrow
 * keys, and reading, do not count.
 */
const MOST_STEPS = 3

const spoken = (page: Page) => page.getByTestId('schedule-spoken')
const agenda = (page: Page, pod: string) => page.getByRole('region', { name: pod })

/**
 * Builds the day: Rosebank has Aurora, which Zanele has from 11:00 and Johan from 13:00, and Borealis; Tyger Valley has
 * Comet. It is 9:05.
 */
async function buildDay({ db, clock }: TestServer) {
  clock.set(instantAt(businessDay(), '09:05'))
  const rosebank = await buildLocation(db, { name: 'Rosebank' })
  const tyger = await buildLocation(db, { name: 'Tyger Valley' })
  const aurora = await buildPod(db, { title: 'Aurora', location_id: rosebank.id })
  const borealis = await buildPod(db, { title: 'Borealis', location_id: rosebank.id })
  await buildPod(db, { title: 'Comet', location_id: tyger.id })
  const zanele = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const johan = await buildUser(db, { firstname: 'Johan', lastname: 'Botha', mobile: '+27 83 555 0199' })
  const book = (pod_id: string, user_id: string, time: string) =>
    buildBooking(db, { pod_id, user_id, start_time: wallTime(businessDay(), time), status: 'Confirmed' })
  const bookings = {
    eleven: await book(aurora.id, zanele.id, '11:00'),
    one: await book(aurora.id, johan.id, '13:00'),
    nine: await book(borealis.id, johan.id, '09:00'),
  }
  return { eleven: bookings.eleven.id, one: bookings.one.id, nine: bookings.nine.id }
}

const findBooking = ({ db }: TestServer, id: string) =>
  db
    .selectFrom('bookings')
    .select(['start_time', 'end_time', 'status', 'no_show_at', 'checked_in_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function countBookings({ db }: TestServer): Promise<number> {
  const { bookings } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<string>().as('bookings'))
    .executeTakeFirstOrThrow()
  return Number(bookings)
}

/** Counts steps, and fails the test when it needs too many. */
function countSteps() {
  let steps = 0
  return async (act: () => Promise<unknown>) => {
    steps += 1
    expect(steps, 'steps').toBeLessThanOrEqual(MOST_STEPS)
    await act()
  }
}

test.describe('A request at the desk, handled by keyboard alone in at most three steps', () => {
  let day: Awaited<ReturnType<typeof buildDay>>

  test.beforeEach(async ({ server, signIn }) => {
    day = await buildDay(server)
    await signIn()
  })

  /** Reaches the target with the Tab key, without a mouse. */
  async function tabTo(page: Page, target: Locator) {
    await expect(target).toBeVisible()
    for (let stop = 0; stop < 80; stop += 1) {
      if (await target.evaluate((node) => node === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error('Tab does not lead there')
  }

  /** Chooses an option of a native select by typing its first letters. */
  async function choose(page: Page, label: string, letters: string) {
    await tabTo(page, page.getByLabel(label))
    await page.keyboard.type(letters)
  }

  async function press(page: Page, name: string | RegExp) {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }

  test('Is anything free at Rosebank at three?', async ({ page }) => {
    const step = countSteps()
    await page.goto('/schedule')
    await step(async () => {
      await tabTo(page, page.getByRole('combobox', { name: 'Location' }))
      await page.keyboard.type('Rose')
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/Rosebank/])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    })
    await step(() => choose(page, 'Free at', 'Free at 3:00 PM'))
    await expect(page.getByRole('grid').locator('[data-name]')).toHaveText([/Aurora/, /Borealis/])
  })

  test('My meeting moved, can we start at ten?', async ({ page, server }) => {
    const { eleven } = day
    const step = countSteps()
    await page.goto('/schedule')
    await tabTo(page, page.getByRole('grid'))
    for (let quarter = 0; quarter < 8; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
    await step(() => page.keyboard.press('m'))
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowLeft')
    await expect(spoken(page)).toHaveText('Aurora, 10:00 AM to 11:00 AM. Free.')
    await step(() => page.keyboard.press('Enter'))
    await expect(page.getByText(/Zanele Dlamini moved to/)).toBeVisible()
    expect(await findBooking(server, eleven)).toMatchObject({ start_time: wallTime(businessDay(), '10:00') })
  })

  test('We need half an hour more', async ({ page, server }) => {
    const { one } = day
    const step = countSteps()
    await page.goto('/schedule')
    await tabTo(page, page.getByRole('grid'))
    for (let quarter = 0; quarter < 13; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/Johan Botha/)
    await step(async () => {
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Shift+ArrowRight')
    })
    await step(() => page.keyboard.press('Enter'))
    await expect(page.getByText('Johan Botha is now 1:00 PM to 2:30 PM')).toBeVisible()
    expect(await findBooking(server, one)).toMatchObject({ end_time: wallTime(businessDay(), '14:30') })
  })

  test('Please book me in, my number is 083 555 0199', async ({ page, server }) => {
    const step = countSteps()
    await page.goto('/schedule')
    await tabTo(page, page.getByRole('grid'))
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await step(() => choose(page, 'Booked for', 'A customer'))
    await step(async () => {
      await tabTo(page, form.getByRole('combobox', { name: 'Customer' }))
      await page.keyboard.type('83 555 0199')
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/Johan Botha/])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    })
    await step(async () => {
      await tabTo(page, form.getByRole('button', { name: 'Book', exact: true }))
      await page.keyboard.press('Enter')
    })
    await expect(form).toHaveCount(0)
    expect(await countBookings(server)).toBe(4)
  })

  test('The lock of Aurora is broken: who is affected?', async ({ page }) => {
    const step = countSteps()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    await step(() => page.keyboard.press('Control+k'))
    await expect(page.getByRole('combobox', { name: 'Go to or do' })).toBeFocused()
    await step(() => page.keyboard.type('close aurora'))
    await expect(page.getByRole('option', { name: /Close pod Aurora/ })).toBeVisible()
    await step(() => page.keyboard.press('Enter'))
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await expect(dialog).toContainText('Zanele Dlamini')
    await expect(dialog.getByRole('link', { name: /\+27 83 555 0199/ })).toBeVisible()
  })

  test('Who should be in now, and who did not come?', async ({ page, server }) => {
    const { nine } = day
    const step = countSteps()
    await page.goto('/arrivals')
    await expect(page.getByRole('region', { name: 'Late', exact: true })).toContainText('Johan Botha')
    await step(() => press(page, /^No-show: Johan Botha/))
    await expect(page.getByRole('region', { name: 'Over', exact: true })).toContainText('No-show')
    expect((await findBooking(server, nine)).no_show_at).not.toBeNull()
  })

  test('I cannot come, please cancel', async ({ page, server }) => {
    const { one } = day
    const step = countSteps()
    await page.goto(`/booking/${one}`)
    await step(() => press(page, 'Cancel booking'))
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await step(async () => {
      await tabTo(page, dialog.getByRole('button', { name: 'Cancel booking' }))
      await page.keyboard.press('Enter')
    })
    await expect(dialog).toHaveCount(0)
    expect(await findBooking(server, one)).toMatchObject({ status: 'Cancelled' })
  })
})

test.describe('A request at the desk, handled on a phone in at most three steps', () => {
  test.use({ hasTouch: true, viewport: PHONE })
  let day: Awaited<ReturnType<typeof buildDay>>

  test.beforeEach(async ({ server, signIn }) => {
    day = await buildDay(server)
    await signIn()
  })

  test('Is anything free at Rosebank at three?', async ({ page }) => {
    const step = countSteps()
    await page.goto('/schedule')
    await step(() => page.getByRole('button', { name: 'Filters' }).tap())
    await step(async () => {
      await page.getByRole('combobox', { name: 'Location' }).tap()
      await page.getByRole('option', { name: /Rosebank/ }).tap()
    })
    await step(() => page.getByLabel('Free at').selectOption('Free at 3:00 PM'))
    await expect(agenda(page, 'Borealis')).toBeVisible()
    await expect(agenda(page, 'Aurora')).toBeVisible()
    await expect(agenda(page, 'Comet')).toHaveCount(0)
  })

  for (const [words, booking, label, time, expected] of [
    [
      'My meeting moved, can we start at ten?',
      'eleven',
      'Start',
      '10:00 AM',
      { start_time: wallTime(businessDay(), '10:00') },
    ],
    ['We need half an hour more', 'one', 'End', '2:30 PM', { end_time: wallTime(businessDay(), '14:30') }],
  ] as const) {
    test(words, async ({ page, server }) => {
      const id = day[booking]
      const step = countSteps()
      await page.goto(`/booking/${id}`)
      await step(() => page.getByRole('button', { name: 'Move' }).tap())
      const dialog = page.getByRole('dialog', { name: 'Move booking' })
      await step(() => dialog.getByLabel(label).selectOption(time))
      await step(() => dialog.getByRole('button', { name: 'Save' }).tap())
      await expect(dialog).toHaveCount(0)
      expect(await findBooking(server, id)).toMatchObject(expected)
    })
  }

  test('Please book me in, my number is 083 555 0199', async ({ page, server }) => {
    const step = countSteps()
    await page.goto('/schedule')
    await agenda(page, 'Aurora').getByRole('button', { name: 'Book Aurora' }).tap()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await step(() => form.getByLabel('Booked for').selectOption('A customer'))
    await step(async () => {
      await form.getByRole('combobox', { name: 'Customer' }).fill('83 555 0199')
      await page.getByRole('option', { name: /Johan Botha/ }).tap()
    })
    await step(() => form.getByRole('button', { name: 'Book', exact: true }).tap())
    await expect(form).toHaveCount(0)
    expect(await countBookings(server)).toBe(4)
  })

  test('The lock of Aurora is broken: who is affected?', async ({ page }) => {
    const step = countSteps()
    await page.goto('/pods')
    await step(() => page.getByRole('button', { name: 'Actions for Aurora' }).tap())
    await step(() => page.getByRole('menuitem', { name: /^Block/ }).tap())
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await expect(dialog).toContainText('Zanele Dlamini')
    await expect(dialog.getByRole('link', { name: /\+27 83 555 0199/ })).toBeVisible()
  })

  test('Who should be in now, and who did not come?', async ({ page, server }) => {
    const { nine } = day
    const step = countSteps()
    await page.goto('/arrivals')
    await step(() =>
      page
        .getByRole('button', { name: /^No-show: Johan Botha/ })
        .first()
        .tap(),
    )
    await expect(page.getByRole('region', { name: 'Over', exact: true })).toContainText('No-show')
    expect((await findBooking(server, nine)).no_show_at).not.toBeNull()
  })

  test('I am at the door', async ({ page, server }) => {
    const { nine } = day
    const step = countSteps()
    await page.goto('/arrivals')
    await step(() =>
      page
        .getByRole('button', { name: /^Check in Johan Botha/ })
        .first()
        .tap(),
    )
    await expect(page.getByRole('region', { name: 'In', exact: true })).toContainText('Johan Botha')
    await expect.poll(async () => (await findBooking(server, nine)).checked_in_at).not.toBeNull()
  })

  test('I cannot come, please cancel', async ({ page, server }) => {
    const { one } = day
    const step = countSteps()
    await page.goto(`/booking/${one}`)
    await step(() => page.getByRole('button', { name: 'Cancel booking' }).tap())
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await step(() => dialog.getByRole('button', { name: 'Cancel booking' }).tap())
    await expect(dialog).toHaveCount(0)
    expect(await findBooking(server, one)).toMatchObject({ status: 'Cancelled' })
  })
})
