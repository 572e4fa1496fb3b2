import { randomBytes } from 'node:crypto'

let lastMilliseconds = 0
let sequence = 0

/**
 * Creates a UUID version 7. Its first 48 bits are the milliseconds, so that new rows are appended to indexes rather
 * than scattered. The next 12 bits number the ids of one millisecond, so that the ids of one server stay in order. Made
 * here because PostgreSQL 15 cannot.
 */
export function createId(milliseconds = Date.now()): string {
  sequence = milliseconds === lastMilliseconds ? (sequence + 1) & 0xfff : 0
  lastMilliseconds = milliseconds
  const bytes = randomBytes(16)
  bytes.writeUIntBE(milliseconds, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}
