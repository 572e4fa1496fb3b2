/** Px: sharp on paper at 8 cm. */
const WIDTH = 1024
/** Modules of white around the code; fewer, and some scanners fail (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** Draws the code as a PNG, dark on white, and hands it to the browser as a download. */
export async function downloadCode(text: string, filename: string): Promise<void> {
  const { toDataURL } = await import('qrcode')
  const link = document.createElement('a')
  link.href = await toDataURL(text, { width: WIDTH, margin: QUIET_ZONE, errorCorrectionLevel: 'M' })
  link.download = filename
  link.click()
}
