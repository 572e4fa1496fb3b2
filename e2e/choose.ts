import { expect, type Locator } from '@playwright/test'

/**
 * Types into a lookup and chooses the only option that is found. Waits until the list has narrowed: it would move the
 * option away between pressing and releasing the button.
 */
export async function choose(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  const option = field.page().getByRole('listbox').getByRole('option')
  await expect(option).toHaveCount(1)
  await option.click()
}
