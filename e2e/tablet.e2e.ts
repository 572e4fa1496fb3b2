import type { Locator } from '@playwright/test'
import { buildCompany, buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { buildSold } from './booking-page.ts'
import { choose } from './choose.ts'
import { expect, test } from './fixtures.ts'

test.use({ hasTouch: true, viewport: { width: 1024, height: 768 } })

test.describe('A tablet', () => {
  test('has numbers and addresses as high as a finger needs, apart from each other', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const { booking } = await buildSold(server)
    const company = await buildCompany(server.db, { email: 'accounts@baobab.example', phone: '+27215550101' })
    const expectHigh = async (within: Locator, count: number) => {
      const links = within.locator('a[href^="tel:"], a[href^="mailto:"]')
      await expect(links).toHaveCount(count)
      const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()))
      let above = 0
      for (const box of boxes) {
        expect(box?.height).toBeGreaterThanOrEqual(31)
        expect(box?.y).toBeGreaterThanOrEqual(above)
        above = (box?.y ?? 0) + (box?.height ?? 0) - 1
      }
    }
    await page.goto(`/booking/${booking.id}`)
    await expectHigh(page.getByRole('main'), 2)
    const directions = page.getByRole('link', { name: 'Directions' })
    expect((await directions.boundingBox())?.height, 'height of Directions').toBeGreaterThanOrEqual(31)
    await page.goto(`/user-details/${booking.user_id}`)
    await expectHigh(page.getByRole('main'), 2)
    await page.goto('/companies')
    await page.getByRole('button', { name: `Details and bookings ${company.name}` }).tap()
    await expectHigh(page.getByRole('dialog'), 2)
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).tap()
    await expectHigh(page.getByRole('dialog').getByRole('listitem'), 2)
  })
})

test.describe('A chosen record on a tablet', () => {
  test('has a cross as high as a finger needs, in a field as high as others', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildFeature(server.db, { name: 'Projector' })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Create Pods' }).tap()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('combobox', { name: 'Features' })
    const height = (await field.boundingBox())?.height
    await choose(field, 'Projector')
    const cross = dialog.getByRole('button', { name: 'Remove Projector' })
    expect((await cross.boundingBox())?.height).toBeGreaterThanOrEqual(32)
    expect((await cross.locator('xpath=../..').boundingBox())?.height).toBe(height)
    await cross.tap()
    await expect(cross).toHaveCount(0)
  })
})

test.describe('A card of a location on a tablet', () => {
  test('has its number of pods on one line, beside its buttons', async ({ page, server, signIn }) => {
    await signIn([3, 7])
    const { id: location_id } = await buildLocation(server.db, { name: 'Long Street' })
    for (let count = 0; count < 12; count++) await buildPod(server.db, { location_id })
    await page.goto('/location')
    const pods = page.getByRole('link', { name: '12 pods of Long Street' })
    await expect(pods).toBeVisible()
    expect(await pods.evaluate((node) => node.getClientRects().length)).toBe(1)
    const [number, next] = [await pods.boundingBox(), await page.locator('label:has([role=switch])').boundingBox()]
    expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThanOrEqual(next?.x ?? 0)
  })
})
