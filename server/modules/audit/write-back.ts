import { sql } from 'kysely'
import type { AuditEntity } from '#contract/audit-entities.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { AppError } from '#server/http/app-error.ts'
import { deleteSessionsOfStaff } from '../auth/auth.repository.ts'
import { deletePasswordLinks } from '../auth/create-password-link.ts'
import { takeBackChange } from '../bookings/booking-actions.service.ts'
import { hasChangedSince, isOpen } from '../bookings/booking-conditions.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { followPod, stayWithPod } from '../bookings/change-booking.ts'
import { type Blockable, closeAgain, openAsBefore } from '../closures/blocking.ts'
import { replaceRows } from '../hours/hours.repository.ts'
import { findLocationForPod } from '../pods/pod-choices.repository.ts'
import { requireImages } from '../pods/pod-choices.ts'
import { listImageUrls } from '../pods/pod-images.repository.ts'
import { replacePodParts } from '../pods/pods.repository.ts'
import { requireMayGiveAgain } from '../role-presets/role-presets.service.ts'
import { requireMayTakeBack } from '../staff/staff.guards.ts'
import { requireCustomerNotErased } from '../users/erase-customers.ts'
import { writeFields } from './audit.repository.ts'

type WriteBack = {
  context: AppContext
  tx: Tx
  actor: Actor
  session: SignedIn
  id: string
  changeId: string
  /** When the change was made. */
  at: Date
  now: Fields
  /** The fields from before the change. */
  earlier: Fields
  /** Why a booking was outside opening hours before. */
  overrideReason: string | undefined
}

const IMAGE_GONE = 'An image that this pod had is no longer stored.'

/** What is checked and done besides the record's own columns, by kind; other kinds have nothing else. */
const writers: Partial<Record<AuditEntity, (back: WriteBack) => Promise<void>>> = {
  async booking({ context, tx, session, id, at, now, earlier, overrideReason }) {
    // A note that was taken off before its customer was erased must not come back.
    if ('note' in earlier && typeof now.user_id === 'string') await requireCustomerNotErased(tx, now.user_id)
    await takeBackChange(context, tx, session, { id, at, fields: now, earlier, overrideReason })
    await stayWithPod(tx, id, toBusinessNow(context))
  },

  async pod(back) {
    const { context, tx, actor, id, at, earlier } = back
    const { features: featureIds, images, opening_hours, hour_exceptions, ...columns } = earlier
    await closeAsBefore(back, { entity: 'pod', id })
    if ('location_id' in columns) await requireLocation(tx, columns)
    await writeFields(tx, 'pods', id, columns)
    if (typeof columns.location_id === 'string') {
      const now = toBusinessNow(context)
      await followPod(tx, actor, { podId: id, locationId: columns.location_id, now, leftAt: at })
    }
    if (Array.isArray(images)) {
      await requireImages(tx, images, await listImageUrls(tx, id)).catch((error: unknown) => {
        throw error instanceof AppError ? new AppError('cannot_undo', { message: IMAGE_GONE }) : error
      })
    }
    await replacePodParts(tx, id, { featureIds, images })
    await replaceRows(tx, { owner: 'pod', id }, { opening_hours, hour_exceptions })
  },

  async location(back) {
    const { tx, id, earlier } = back
    const { opening_hours, hour_exceptions, ...columns } = earlier
    await closeAsBefore(back, { entity: 'location', id })
    await writeFields(tx, 'locations', id, columns)
    await replaceRows(tx, { owner: 'location', id }, { opening_hours, hour_exceptions })
  },

  async staff({ tx, session, id, earlier }) {
    await requireMayTakeBack(tx, session, id, earlier)
    if ('email' in earlier) await deletePasswordLinks(tx, id)
    if (earlier.is_blocked === true) await deleteSessionsOfStaff(tx, id)
    await writeFields(tx, 'staff', id, earlier)
  },

  async 'role-preset'({ tx, session, id, now, earlier }) {
    await requireMayGiveAgain(tx, session, now, earlier)
    await writeFields(tx, 'role_presets', id, earlier)
  },
}

/** Writes the fields from before a change back. The caller has locked what the kind needs, and records the change. */
export async function writeBack(entity: AuditEntity, table: keyof Database, back: WriteBack): Promise<void> {
  const write = writers[entity]
  if (write) await write(back)
  else await writeFields(back.tx, table, back.id, back.earlier)
}

async function closeAsBefore({ context, tx, actor, changeId, at, earlier }: WriteBack, of: Blockable): Promise<void> {
  if (typeof earlier.is_blocked !== 'boolean') return
  const now = toBusinessNow(context)
  if (!earlier.is_blocked) return openAsBefore(tx, actor, of, changeId, now)
  await requireNotBookedSince(tx, of, at, now)
  await closeAgain(tx, actor, of, changeId, now)
}

/** Throws a 409 for bookings made, or moved there, while it was open: whom a closure affects is decided (rules §26.6). */
async function requireNotBookedSince(tx: Tx, { entity, id }: Blockable, at: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ hit: number }>`
    select count(*) as hit from bookings
     where ${sql.ref(`bookings.${entity}_id`)} = ${id} and end_time > ${now}
       and ${isOpen}
       and ${hasChangedSince(at, ['pod_id', 'location_id', 'start_time', 'end_time'])}`.execute(tx)
  const hit = rows[0]?.hit ?? 0
  if (hit === 0) return
  const [bookings, which] = hit === 1 ? ['1 booking has', 'it'] : [`${hit} bookings have`, 'each']
  throw new AppError('closure_undecided', {
    message: `${bookings} been made or moved there since. Block it again, and decide about ${which}.`,
  })
}

export async function requireLocation(tx: Tx, { location_id }: Fields): Promise<void> {
  if (await findLocationForPod(tx, String(location_id))) return
  throw new AppError('cannot_undo', {
    message: 'The location of this pod has been deleted. Restore the location first.',
  })
}
