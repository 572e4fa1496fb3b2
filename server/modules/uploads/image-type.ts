import type { IMAGE_TYPES } from '#contract/image-limits.ts'

type ImageType = (typeof IMAGE_TYPES)[number]

/** Returns the type of a file by its first bytes. Ignores its name and the client's content type. */
export function findImageType(bytes: Buffer): ImageType | undefined {
  const at = (start: number, text: string) => bytes.toString('latin1', start, start + text.length) === text
  if (at(0, '\xff\xd8\xff')) return 'image/jpeg'
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'image/gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'image/webp'
  if (at(4, 'ftyp') && listBrands(bytes).some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif'
  return undefined
}

/** Lists the brands of an ISO media file (ISO 14496-12, section 4.3): the major brand, then the compatible ones. */
function listBrands(bytes: Buffer): string[] {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256)
  const brands = [bytes.toString('latin1', 8, 12)]
  for (let start = 16; start + 4 <= end; start += 4) brands.push(bytes.toString('latin1', start, start + 4))
  return brands
}
