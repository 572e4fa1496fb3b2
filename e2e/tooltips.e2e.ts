import { buildBooking, buildPod } from '#server/testing/factories.ts'
import { buildSold, openAction } from './booking-page.ts'
import { expect, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

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

test('keeps a tooltip while the pointer is on it, unless it covers another control', async ({
  page,
  server,
  signIn,
}) => {
  await page.clock.install()
  await signIn([3])
  await buildPod(server.db, { title: 'Aurora' })
  await buildPod(server.db, { title: 'Borealis' })
  await page.goto('/pods')
  const tooltip = page.locator(':popover-open')
  const buttons = page.getByRole('button', { name: /^Delete / })
  await expect(buttons).toHaveCount(2)
  const [first, second] = [buttons.first(), buttons.last()]
  const [above, below] = [await first.getAttribute('aria-label'), await second.getAttribute('aria-label')]
  await second.hover()
  await expect(tooltip).toHaveText(below ?? '')
  const [button, shown] = [await first.boundingBox(), await tooltip.boundingBox()]
  if (!button || !shown) throw new Error('Both are in sight')
  const middle = shown.x + shown.width / 2
  // Over the gap, onto its lower edge.
  await page.mouse.move(middle, shown.y + shown.height + 3)
  await page.mouse.move(middle, shown.y + shown.height - 2)
  // Longer than a tooltip takes to appear.
  await page.clock.runFor(500)
  await expect(tooltip).toHaveText(below ?? '')
  await page.mouse.move(middle, button.y + button.height - 2)
  await expect(tooltip).toHaveText(above ?? '')
  await page.mouse.move(10, 10)
  await expect(tooltip).toHaveCount(0)
})

test('takes a tooltip away once its control no longer has one', async ({ page, server, signIn }) => {
  await signIn([6])
  const { booking } = await buildSold(server)
  const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
  const save = dialog.getByRole('button', { name: /^Save/ })
  const tooltip = page.locator(':popover-open')
  const letGo = await holdRoute(page, '**/interval/preview')
  await dialog.getByLabel('End').selectOption('10:30 AM')
  await save.hover()
  await expect(tooltip).toHaveText('It is not known yet whether it is free then, and at what price.')
  await letGo()
  await expect(save).toHaveText('Save, R 75.00 more')
  await expect(tooltip).toHaveCount(0)
})

test('shows no empty tooltip where the text is gone before it appears', async ({ page, server, signIn }) => {
  await page.clock.install()
  await signIn([3])
  await buildPod(server.db)
  await page.goto('/pods')
  const button = page.getByRole('button', { name: /^Delete / })
  await button.hover()
  await button.evaluate((node) => delete node.dataset.tooltip)
  // Longer than a tooltip takes to appear.
  await page.clock.runFor(500)
  await expect(page.locator(':popover-open')).toHaveCount(0)
})
