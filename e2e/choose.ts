import { expect, type Locator } from '@playwright/test'

/**
 * Types into a lookup and chooses the only option that is found, which must have this name. Waits until the list has
 * narrowed: it would move the option away between pressing and releasing the button.
 */
export async function choose(field: Locator, text: string, name: string | RegExp = text): Promise<void> {
  await field.fill(text)
  const options = field.page().getByRole('listbox').getByRole('option')
  await expect(options).toHaveCount(1)
  await field.page().getByRole('option', { name }).click()
}
