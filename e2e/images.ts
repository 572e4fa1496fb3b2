import sharp from 'sharp'

/** Creates a real image in the form that a file input takes. */
export async function drawImage(name: string, width = 60) {
  const buffer = await sharp({ create: { width, height: 40, channels: 3, background: '#887766' } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}
