import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** A real picture, as a file input takes it. */
export async function drawImage(name: string) {
  const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#887766' } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

/** The factories' pods name pictures that no file stands behind: answers each with one. */
export async function serveImages(page: Page): Promise<void> {
  const { buffer } = await drawImage('any')
  await page.route('**/uploads/image-*', (route) => route.fulfill({ contentType: 'image/png', body: buffer }))
}
