/** Px. Sharp when printed 8 cm wide. */
const WIDTH = 1024
/** White modules around the code; with fewer, some scanners fail (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** Downloads the code as a PNG, dark on white. */
export async function downloadCode(text: string, filename: string): Promise<void> {
  const { toDataURL } = await import('qrcode')
  const link = document.createElement('a')
  link.href = await toDataURL(text, { width: WIDTH, margin: QUIET_ZONE, errorCorrectionLevel: 'M' })
  link.download = filename
  link.click()
}
