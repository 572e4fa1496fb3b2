import { sql } from 'kysely'
import type { Actor, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { notFound } from '#server/http/app-error.ts'
import { recordChanges } from '../audit/record-change.ts'
import { requireEachAvailable } from '../availability/availability.ts'
import type { WantedInterval } from '../availability/obstacles.ts'
import { requireCancellable } from './booking-actions.service.ts'
import { notPaidBack, paid, refunded } from './booking-money.ts'
import { exchangeSlots } from './booking-slots.repository.ts'
import { bookingRecord } from './bookings.repository.ts'
import { requireAction, toState } from './change-booking.ts'
import { requireSameStart } from './move-booking.service.ts'

/**
 * Cancels or moves the bookings that a closure affects, with the same rules as for single bookings but in a few statements
 * for any number of them (rules §26.6). The caller has locked the pods.
 */

type Closing = { actor: Actor; session: SignedIn; reason: string; now: Date }

/** Cancels bookings as caused by us: all that was paid and not paid back is due back. */
export async function cancelClosed(tx: Tx, closing: Closing, ids: readonly string[]): Promise<void> {
  const { actor, reason, now } = closing
  const change = { ids, action: 'cancel', reason } as const
  await recordChanges(tx, { ...actor, expects: 'any' }, bookingRecord, change, async (before) => {
    for (const fields of before.values()) requireCancellable(toState(fields), now)
    await tx
      .updateTable('bookings')
      .set({
        status: 'Cancelled',
        cancelled_at: actor.now(),
        cancel_reason: reason,
        paid_when_cancelled: paid,
        balance_due: sql`-${notPaidBack}`,
        refunds_counted: refunded,
        sequence: sql`sequence + 1`,
      })
      .where(sql<boolean>`bookings.id = any(${ids}::uuid[])`)
      .execute()
    await exchangeSlots(tx, ids)
  })
}

/** Moves each booking to another pod, by booking id, and keeps its time and price. */
export async function moveClosed(tx: Tx, closing: Closing, podIds: ReadonlyMap<string, string>): Promise<void> {
  const { actor, session, reason, now } = closing
  const change = { ids: [...podIds.keys()], action: 'move', reason } as const
  await recordChanges(tx, { ...actor, expects: 'any' }, bookingRecord, change, async (before) => {
    const moved = [...before].map(([id, fields]) => toMoved(id, fields, podIds.get(id), now))
    await requireEachAvailable(tx, moved, { now, pages: session.pages, mayHavePassed: true })
    await sql`
      update bookings set pod_id = pods.id, location_id = pods.location_id, sequence = sequence + 1
        from unnest(${moved.map(({ exceptBookingId }) => exceptBookingId)}::uuid[],
                    ${moved.map(({ podId }) => podId)}::uuid[]) as moved (id, pod_id), pods
       where bookings.id = moved.id and pods.id = moved.pod_id`.execute(tx)
    await exchangeSlots(
      tx,
      moved.map(({ exceptBookingId }) => exceptBookingId),
    )
  })
}

function toMoved(id: string, fields: Fields, podId: string | undefined, now: Date) {
  const before = toState(fields)
  requireAction(before, 'move', now)
  if (podId === undefined) throw notFound('Pod')
  const interval = { podId, start: before.start, end: before.end, exceptBookingId: id } satisfies WantedInterval
  requireSameStart(before, interval, now)
  return interval
}
