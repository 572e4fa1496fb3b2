import type { Booking } from '#contract/bookings.ts'
import { toInstant } from '#contract/slots.ts'

export type QrSource = {
  template: string
  origin: string
  timeZone: string
  booking: Pick<Booking, '_id' | 'podId' | 'startTime' | 'endTime'>
  deviceId: string
  podUserId: string
}

export const QR_FIELDS = ['origin', 'bookingId', 'podId', 'deviceId', 'podUserId', 'startUnix', 'endUnix'] as const
const PLACEHOLDER = /\{(\w+)\}/g

/** Returns the names in braces that are no fields. */
export function listUnknownFields(template: string): string[] {
  const names = Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name)
  return names.filter((name) => !QR_FIELDS.some((field) => field === name))
}

/**
 * Returns the text of a booking's QR code (rules §4.17). Times are real instants in Unix seconds, because door hardware
 * has its own clock. Unknown names in braces stay as they are.
 */
export function toQrText({ template, origin, timeZone, booking, deviceId, podUserId }: QrSource): string {
  const toUnix = (wallClock: string) => String(toInstant(new Date(wallClock), timeZone).getTime() / 1000)
  // Only what the template names is worked out: a code is compared with those of a whole day.
  const fields: Record<(typeof QR_FIELDS)[number], () => string> & Record<string, () => string> = {
    origin: () => origin,
    bookingId: () => booking._id,
    podId: () => booking.podId,
    deviceId: () => deviceId,
    podUserId: () => podUserId,
    startUnix: () => toUnix(booking.startTime),
    endUnix: () => toUnix(booking.endTime),
  }
  return template.replaceAll(PLACEHOLDER, (text, name: string) => fields[name]?.() ?? text)
}
