import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** Creates a real image in the form that a file input takes. */
export async function drawImage(name: string, width = 60) {
  const buffer = await sharp({ create: { width, height: 40, channels: 3, background: '#887766' } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

/** Serves an image for every pod image, because those of the factories have no file. */
export async function serveImages(page: Page): Promise<void> {
  const { buffer } = await drawImage('any')
  await page.route('**/uploads/image-*', (route) => route.fulfill({ contentType: 'image/png', body: buffer }))
}
