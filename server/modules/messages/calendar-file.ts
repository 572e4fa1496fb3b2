import ical, { ICalCalendarMethod, type ICalEventData, ICalEventStatus } from 'ical-generator'
import { tzlib_get_ical_block as getTimeZoneBlock } from 'timezones-ical-library'

type CalendarBooking = {
  id: string
  sequence: number
  /** The pod's wall clock labelled Z. */
  start: Date
  end: Date
  isCancelled: boolean
  podTitle: string
  place: string
  locationName: string
}

type Person = { name: string; email: string }

type CalendarOptions = { timeZone: string; organizer: Person; attendee: Person; now: Date }

/**
 * Returns the calendar file of bookings. A booking always keeps its UID, and SEQUENCE tells newer files from older
 * ones. A single booking is sent as an invitation, which calendars update by themselves; RFC 5546 allows no invitation
 * to several.
 */
export function toCalendarFile(bookings: readonly CalendarBooking[], options: CalendarOptions): string {
  const { timeZone, organizer, attendee, now } = options
  // The library may use another name of the zone, such as 'TZID=Asia/Kolkata' for Asia/Calcutta.
  const [block, name] = [getTimeZoneBlock(timeZone)].flat()
  const zone = name?.replace('TZID=', '') ?? timeZone
  const isOne = bookings.length === 1
  const calendar = ical({
    prodId: { company: organizer.name, product: 'Bookings' },
    method: isOne ? toMethod(bookings) : ICalCalendarMethod.PUBLISH,
    // The calendar itself gets no zone, as it would be applied to time stamps, which are UTC.
    timezone: { name: null, generator: () => block ?? null },
    events: bookings.map((booking): ICalEventData => {
      const { id, sequence, start, end, isCancelled, podTitle, locationName, place } = booking
      return {
        id,
        sequence,
        stamp: now,
        timezone: zone,
        start: toWallClockValue(start),
        end: toWallClockValue(end),
        summary: `${podTitle}, ${locationName}`,
        location: place,
        status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        organizer: toNamed(organizer),
        ...(isOne && { attendees: [{ ...toNamed(attendee), rsvp: false }] }),
      }
    }),
  })
  // The library leaves out the last line's end, which RFC 5545 (3.1) asks for.
  return `${calendar.toString()}\r\n`
}

/** A name cannot contain quotation marks (RFC 5545, 3.2), which the library would escape in a way of its own. */
const toNamed = ({ name, email }: Person): Person => ({ name: name.replaceAll('"', "'"), email })

function toMethod(bookings: readonly { isCancelled: boolean }[]) {
  return bookings.every(({ isCancelled }) => isCancelled) ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST
}

/** Wraps a wall clock so that it is written unchanged: the library would write a Date in the server's time zone. */
function toWallClockValue(wallClock: Date) {
  const digits = wallClock.toISOString().replaceAll(/[-:]/g, '')
  const value = {
    format: (pattern?: string) => (pattern === 'YYYYMMDD' ? digits.slice(0, 8) : digits.slice(9, 15)),
    isValid: () => true,
    toDate: () => wallClock,
    toJSON: () => wallClock.toJSON(),
    tz: () => value,
  }
  return value
}
