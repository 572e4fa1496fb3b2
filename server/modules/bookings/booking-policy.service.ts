import { sql } from 'kysely'
import type { z } from 'zod'
import type { BookingPolicy, LocationPolicy, LocationPolicyEdit, PolicyEdit } from '#contract/booking-policy.ts'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { recordChange } from '../audit/record-change.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { locationRecord } from '../locations/locations.repository.ts'
import { setForAllLocations } from '../locations/set-for-all-locations.ts'
import { PRICING_ID } from '../pricing/pricing.repository.ts'

/** The cancellation policy, general and per location, and when locations release no-shows (rules §27.3). */

export const policyRecord: RecordKind = {
  entity: 'policy',
  table: 'pricing',
  label: sql`'Cancellation policy'`,
  leftOut: ['rate', 'discount_minutes'],
  isDeletable: false,
  find: getBookingPolicy,
}

/** Records into the location's history; a 409 carries the location's policy. */
const locationPolicyRecord: RecordKind = { ...locationRecord, find: findLocationPolicy }

export async function getBookingPolicy(db: Db | Tx): Promise<BookingPolicy> {
  const pricing = await db
    .selectFrom('pricing')
    .select(['cancel_policy', 'cancel_reasons', 'version'])
    .executeTakeFirstOrThrow()
  const locations = await selectLocations(db).orderBy('name').orderBy('id').execute()
  return {
    cancelPolicy: pricing.cancel_policy,
    cancelReasons: pricing.cancel_reasons,
    version: pricing.version,
    locations: locations.map(toLocationPolicy),
  }
}

async function findLocationPolicy(db: Db | Tx, id: string): Promise<LocationPolicy | undefined> {
  const row = await selectLocations(db).where('id', '=', id).executeTakeFirst()
  return row && toLocationPolicy(row)
}

export async function setBookingPolicy(
  db: Db,
  actor: Actor,
  { cancelPolicy, cancelReasons }: z.output<typeof PolicyEdit>,
): Promise<BookingPolicy> {
  return inTransaction(db, async (tx) => {
    await recordChange(tx, actor, policyRecord, { id: PRICING_ID, action: 'edit' }, () =>
      tx
        .updateTable('pricing')
        .set({
          ...(cancelPolicy && { cancel_policy: toText(cancelPolicy) }),
          ...(cancelReasons && { cancel_reasons: [...new Set(cancelReasons)] }),
          updated_at: actor.now(),
        })
        .execute(),
    )
    return getBookingPolicy(tx)
  })
}

export async function setLocationPolicy(
  db: Db,
  actor: Actor,
  id: string,
  { cancelPolicy, noShowMinutes }: z.output<typeof LocationPolicyEdit>,
): Promise<BookingPolicy> {
  return inTransaction(db, async (tx) => {
    const set = await recordChange(tx, actor, locationPolicyRecord, { id, action: 'edit' }, () =>
      tx
        .updateTable('locations')
        .set({
          cancel_policy: cancelPolicy === undefined ? sql.ref('cancel_policy') : cancelPolicy && toText(cancelPolicy),
          no_show_minutes: noShowMinutes === undefined ? sql.ref('no_show_minutes') : noShowMinutes,
        })
        .where('id', '=', id)
        .execute(),
    )
    if (!set) throw notFound('Location')
    return getBookingPolicy(tx)
  })
}

/** Sets the minutes for all locations. */
export async function setNoShowMinutes(db: Db, actor: Actor, noShowMinutes: number | null): Promise<BookingPolicy> {
  return inTransaction(db, async (tx) => {
    await setForAllLocations(tx, actor, 'no_show_minutes', noShowMinutes)
    return getBookingPolicy(tx)
  })
}

function selectLocations(db: Db | Tx) {
  return db
    .selectFrom('locations')
    .select(['id', 'name', 'city', 'cancel_policy', 'no_show_minutes', 'version'])
    .where('deleted_at', 'is', null)
}

type LocationRow = Awaited<ReturnType<ReturnType<typeof selectLocations>['execute']>>[number]

function toLocationPolicy(row: LocationRow): LocationPolicy {
  return {
    _id: row.id,
    name: row.name,
    city: row.city,
    cancelPolicy: row.cancel_policy,
    noShowMinutes: row.no_show_minutes,
    version: row.version,
  }
}

/** Serialises a policy, with its brackets in descending order of hours. */
function toText({ brackets, fee }: CancelPolicy): string {
  return JSON.stringify({ brackets: brackets.toSorted((a, b) => b.hoursBefore - a.hoursBefore), fee })
}
