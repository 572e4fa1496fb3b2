import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, test } from './fixtures.ts'

test.describe('The search in the header', () => {
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
    await expect(page).toHaveURL(`/location?search=${location.id}`)
    await expect(page.getByRole('heading', { name: 'Harbour House' })).toBeVisible()
    await page.getByPlaceholder('Search...').fill('nowhere at all')
    await expect(page.getByText('Nothing found. Try fewer or other words.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Nothing found. Try fewer or other words.')).toBeHidden()
    await page.getByPlaceholder('Search...').fill('')
    await page.keyboard.insertText('x'.repeat(10_000))
    await expect(page.getByPlaceholder('Search...')).toHaveValue('x'.repeat(200))
  })

  test('takes the key / from the moment that its field is there', async ({ page, signIn }) => {
    await signIn([7])
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('[role=combobox]')) return
        observer.disconnect()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto('/location')
    await expect(page.getByPlaceholder('Search...')).toBeFocused()
  })

  test('finds a booking that one made with only page 9, and opens its own page', async ({ page, server, signIn }) => {
    const pod = await buildPod(server.db, { title: 'Harbour Pod' })
    const { _id } = await signIn([9])
    const booking = await buildBooking(server.db, { pod_id: pod.id, staff_id: _id })
    await page.goto('/corporate-booking')
    await expect(page.getByPlaceholder('Select Pod')).toBeVisible()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByPlaceholder('Search...').fill('harbour')
    const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await expect(found).toContainText('Harbour Pod')
    // Whose booking it is comes after its date and time.
    const readCut = () => found.evaluate((node) => [...node.children].map((one) => one.scrollWidth - one.clientWidth))
    expect(await readCut(), 'how much is cut of the lines of a result').toEqual([0, 0])
    await found.click()
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
    const amber = await buildPod(server.db, { title: 'Room Amber' })
    for (const name of ['Beacon', 'Cedar']) await buildPod(server.db, { title: `Room ${name}` })
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
    await expect(page).toHaveURL(`/pods?search=${amber.id}`)
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
})
