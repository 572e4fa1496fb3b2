import { type RawBuilder, sql } from 'kysely'
import type { ArrivalsQuery } from '#contract/booking-actions.ts'
import type { ArrivalGroup, CheckInMethod } from '#contract/booking-statuses.ts'
import { toDate, toWallClock, toWireTime } from '#contract/slots.ts'
import type { AppContext } from '#server/context.ts'
import { searching, toSearch } from '#server/db/lists/search.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { recordChange } from '../audit/record-change.ts'
import { systemActor } from '../audit/record-event.ts'
import { listArrivals, listCodeSources } from './arrivals.repository.ts'
import { isOpen } from './booking-conditions.ts'
import { listActions, toNoShowRelease } from './booking-state.ts'
import { bookingRecord } from './bookings.repository.ts'
import { toBookingCode, toBusinessNow } from './bookings.service.ts'
import {
  type BookingRequest,
  changeBooking,
  explainState,
  release,
  requireAction,
  toState,
  updateBooking,
} from './change-booking.ts'

/** Today's arrivals: who is expected, who came and who did not. */

/** Returns today's bookings, at one location or all, with the group and the possible actions of each. */
export async function getArrivals(context: AppContext, { location, search: typed, limit }: ArrivalsQuery) {
  const now = toBusinessNow(context)
  const [from, to] = today(now)
  const search = toSearch(typed)
  const list = () => listArrivals(context.db, { from, to, now, location, search, limit })
  const rows = await (search ? searching(list) : list())
  const count = (group: ArrivalGroup) => rows.find((row) => row.group === group)?.in_group ?? 0
  return {
    businessNow: now.toISOString(),
    counts: {
      late: count('late'),
      expected: count('expected'),
      leaving: count('leaving'),
      in: count('in'),
      over: count('over'),
    },
    arrivals: rows.map((row) => ({
      _id: row.id,
      podId: row.pod_id,
      podTitle: row.pod_title,
      locationName: row.location_name,
      name: row.name,
      customerId: row.user_id,
      phone: row.phone,
      startTime: row.start_time.toISOString(),
      endTime: row.end_time.toISOString(),
      status: row.status,
      checkedInAt: row.checked_in_at?.toISOString() ?? null,
      noShowAt: row.no_show_at?.toISOString() ?? null,
      endedAt: row.ended_at?.toISOString() ?? null,
      note: row.note,
      version: row.version,
      group: row.group,
      actions: listActions(
        {
          status: row.status,
          start: row.start_time,
          end: row.end_time,
          isCheckedIn: row.checked_in_at !== null,
          isNoShow: row.no_show_at !== null,
          isEnded: row.ended_at !== null,
        },
        now,
      ),
    })),
  }
}

export async function checkIn(
  request: BookingRequest,
  { method, code, version }: { method: CheckInMethod; code?: string | undefined; version: number | undefined },
): Promise<void> {
  const { context, actor, session, id } = request
  if (method === (session.staff ? 'door' : 'staff')) {
    throw fieldError(
      'method',
      session.staff ? 'A person checks in by hand or code' : 'An API key checks in by code or door',
    )
  }
  if (method === 'code' && (await findByCode(context, code ?? '')) !== id) {
    throw fieldError('code', 'This is not the code of this booking')
  }
  await changeBooking(request, { action: 'check-in', version }, async (tx, before, now) => {
    const actions = listActions(before, now)
    // A door lets customers in again until their booking ends, and nobody after that.
    if (before.isCheckedIn && actions.includes('cancel')) throw new AppError('already_checked_in')
    if (!actions.includes('check-in')) throw new AppError('booking_state', { message: explainState(before, now) })
    await updateBooking(tx, id, {
      checked_in_at: actor.now(),
      checked_in_by: session.staff?._id ?? null,
      checked_in_method: method,
    })
  })
}

/** Checks in by code: the text of the QR code, or the end of the booking's id as shown beneath. Returns the id. */
export async function checkInByCode(sender: Omit<BookingRequest, 'id'>, code: string): Promise<string> {
  const id = await findByCode(sender.context, code)
  if (id === undefined) {
    const why =
      code.trim().length < MIN_CODE_LENGTH
        ? '. Of an id, type at least the last six characters'
        : ': it may be for another day, or cancelled'
    throw fieldError('code', `None of today’s bookings has this code${why}`)
  }
  await checkIn({ ...sender, id }, { method: 'code', code, version: undefined })
  return id
}

export async function undoCheckIn(request: BookingRequest): Promise<void> {
  await changeBooking(request, { action: 'check-in' }, async (tx, before, now) => {
    requireAction(before, 'undo-check-in', now)
    await updateBooking(tx, request.id, { checked_in_at: null, checked_in_by: null, checked_in_method: null })
  })
}

export async function markNoShow(request: BookingRequest, { version }: { version: number }): Promise<void> {
  await changeBooking(request, { action: 'no-show', version }, async (tx, before, now) => {
    if (!listActions(before, now).includes('no-show')) {
      throw new AppError('booking_state', {
        message: before.isCheckedIn
          ? 'This customer was checked in. Take the check-in back first.'
          : explainState(before, now),
      })
    }
    const released_from = toNoShowRelease(before.start, before.end, now)
    await release(tx, request.id, { no_show_at: request.actor.now(), released_from })
  })
}

/**
 * Releases bookings that nobody came for, at locations that want this. The minutes begin anew when the server starts,
 * and when its database is back, as nobody could be checked in meanwhile. Returns the number of released bookings.
 */
export async function releaseNoShows(context: AppContext): Promise<number> {
  const now = toBusinessNow(context)
  const since = toWallClock(context.uptime.since, context.config.businessTimeZone)
  const due = await context.db
    .selectFrom('bookings')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .select(['bookings.id', 'locations.no_show_minutes'])
    .where(isOpen)
    .where('bookings.start_time', '<=', now)
    .where('bookings.end_time', '>', now)
    .where('bookings.checked_in_at', 'is', null)
    .where(
      sql<boolean>`greatest(bookings.start_time, ${since}) + make_interval(mins => locations.no_show_minutes) <= ${now}`,
    )
    .where(sql<boolean>`not ${isSpared(now, context.clock.now())}`)
    .execute()
  const actor = systemActor(() => context.clock.now())
  let released = 0
  for (const { id, no_show_minutes } of due) {
    const reason = `Nobody came within ${no_show_minutes} minutes`
    await inTransaction(context.db, (tx) =>
      recordChange(tx, actor, bookingRecord, { id, action: 'no-show', reason }, async (fields) => {
        const before = toState(fields)
        // The customer may have come, or the booking been moved, since the query.
        if (!listActions(before, now).includes('no-show') || before.end <= now) return
        await release(tx, id, {
          no_show_at: actor.now(),
          released_from: toNoShowRelease(before.start, before.end, now),
        })
        released += 1
      }),
    )
  }
  return released
}

/**
 * Whether staff, since the start of the booking, took back its no-show, set the minutes of its location, or moved its pod
 * to this location, as whoever came before has not been asked to check in; or whether it was made, moved, reinstated or
 * resumed, or its check-in taken back, within the last minutes of grace. Other systems make bookings without a history.
 * Only changes since the start are read. Counted, as the database might read the whole history for an `exists`.
 */
function isSpared(now: Date, instant: Date): RawBuilder<boolean> {
  const graceBegan = sql`${instant}::timestamptz - make_interval(mins => locations.no_show_minutes)`
  return sql`(bookings.created_at > ${graceBegan} or (
    select count(*) > 0 from audit
     where entity_id in (bookings.id, bookings.location_id)
       and at >= ${instant}::timestamptz - (${now}::timestamptz - bookings.start_time)
       and (action = 'no-show' or action = 'edit' and after ?| '{no_show_minutes,location_id}'
                               or action in ('create', 'move', 'reinstate', 'end', 'check-in') and at > ${graceBegan})))`
}

function today(now: Date): [Date, Date] {
  const date = toDate(now)
  return [new Date(toWireTime(date, '00:00')), new Date(toWireTime(date, '24:00'))]
}

/** Enough characters of an id that they are hard to guess, and few enough to type. */
const MIN_CODE_LENGTH = 6

/** Returns the id of today's booking with this code; undefined when none, or more than one, has it. */
async function findByCode(context: AppContext, typed: string): Promise<string | undefined> {
  const code = typed.trim()
  const rows = await listCodeSources(context.db, ...today(toBusinessNow(context)))
  const end = code.toLowerCase()
  const found = rows.filter((row) => {
    if (end.length >= MIN_CODE_LENGTH && row.id.endsWith(end)) return true
    const booking = {
      _id: row.id,
      podId: row.pod_id,
      startTime: row.start_time.toISOString(),
      endTime: row.end_time.toISOString(),
    }
    return toBookingCode(context.config, { booking, deviceId: row.device_id, podUserId: row.pod_user_id }) === code
  })
  return found.length === 1 ? found[0]?.id : undefined
}
