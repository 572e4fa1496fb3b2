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

/**
 * Returns the text of a booking's QR code (rules §4.17). Times are real instants in Unix seconds, because door hardware
 * has its own clock. Unknown names in braces stay as they are.
 */
export function toQrText({ template, origin, timeZone, booking, deviceId, podUserId }: QrSource): string {
  const toUnix = (wallClock: string) => String(toInstant(new Date(wallClock), timeZone).getTime() / 1000)
  // Only what the template names is worked out: a code is compared with those of a whole day.
  const fields: Record<string, () => string> = {
    origin: () => origin,
    bookingId: () => booking._id,
    podId: () => booking.podId,
    deviceId: () => deviceId,
    podUserId: () => podUserId,
    startUnix: () => toUnix(booking.startTime),
    endUnix: () => toUnix(booking.endTime),
  }
  return template.replaceAll(/\{(\w+)\}/g, (text, name: string) => fields[name]?.() ?? text)
}
