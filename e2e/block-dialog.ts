import { expect, type Page } from '@playwright/test'

/** Fills in the dialog that blocks a pod or a location; bookings that the closure hits are left as they are. */
export async function confirmBlock(page: Page, name: string, reason = 'Lock broken'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Block ${name}` })
  await dialog.getByLabel('Reason').fill(reason)
  await expect(dialog.getByRole('heading', { name: /bookings? affected$/ })).toBeVisible()
  const leave = dialog.getByRole('button', { name: 'Leave all' })
  if (await leave.isVisible()) await leave.click()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(dialog).toHaveCount(0)
}
