import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** Clicks a button and returns the file that it downloads. */
export async function downloadBy(page: Page, button: Locator): Promise<{ name: string; body: Buffer }> {
  const coming = page.waitForEvent('download')
  await button.click()
  const file = await coming
  return { name: file.suggestedFilename(), body: await readFile(await file.path()) }
}
