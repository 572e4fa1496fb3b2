import type { z } from 'zod'
import type { Location, LocationBody, LocationEdit } from '#contract/locations.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { recordEdit } from '../audit/record-edit.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { closeOrOpen } from '../closures/blocking.ts'
import * as repository from './locations.repository.ts'

export async function getLocation(db: Db, id: string): Promise<Location> {
  const location = await repository.findLocation(db, id)
  if (!location) throw notFound('Location')
  return location
}

export async function createLocation(
  db: Db,
  actor: Actor,
  { Street, ...rest }: z.output<typeof LocationBody>,
): Promise<Location> {
  const id = createId()
  return inTransaction(db, (tx) =>
    recordCreation(tx, actor, repository.locationRecord, id, () =>
      repository.createLocation(tx, { id, street: Street, ...rest }),
    ),
  )
}

/** Absent fields stay as they are (rules §16.5). */
export async function updateLocation(
  context: AppContext,
  actor: Actor,
  id: string,
  { Street, isBlocked, ...rest }: z.output<typeof LocationEdit>,
): Promise<Location> {
  const changes = { ...rest, street: Street, is_blocked: isBlocked }
  if (Object.values(changes).every((value) => value === undefined)) return getLocation(context.db, id)
  if (isBlocked === undefined) {
    const row = await recordEdit(context.db, actor, repository.locationRecord, { id, action: 'edit' }, changes)
    if (!row) throw notFound('Location')
    return repository.toLocation(row)
  }
  return inTransaction(context.db, (tx) =>
    changeLocation(tx, actor, { id, action: 'edit' }, async () => {
      await closeOrOpen(tx, actor, { entity: 'location', id }, isBlocked, toBusinessNow(context))
      return repository.updateLocation(tx, id, changes)
    }),
  )
}

/** Closes the location until further notice, or reopens it. Affected bookings stay (rules §26.7). */
export async function setLocationBlocked(
  context: AppContext,
  actor: Actor,
  id: string,
  isBlocked: boolean,
): Promise<void> {
  await inTransaction(context.db, (tx) =>
    changeLocation(tx, actor, { id, action: isBlocked ? 'block' : 'unblock' }, async () => {
      await closeOrOpen(tx, actor, { entity: 'location', id }, isBlocked, toBusinessNow(context))
      await repository.updateLocation(tx, id, { is_blocked: isBlocked })
      return true
    }),
  )
}

/**
 * Deletes a location, unless it has pods (rules §6.5) or one is being added at this moment. The row stays, hidden, as
 * bookings and deleted pods refer to it.
 */
export async function deleteLocation(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await repository.lockLocation(tx, id))) throw notFound('Location')
    const pods = await repository.countPodsOfLocation(tx, id)
    if (pods > 0) throw new AppError('location_has_pods', { message: toHasPodsMessage(pods) })
    await changeLocation(tx, actor, { id, action: 'delete' }, () =>
      repository.updateLocation(tx, id, { deleted_at: actor.now() }),
    )
  })
}

async function changeLocation<T>(tx: Tx, actor: Actor, change: ChangeDetails, write: () => Promise<T>): Promise<T> {
  const result = await recordChange(tx, actor, repository.locationRecord, change, write)
  if (result === undefined) throw notFound('Location')
  return result
}

function toHasPodsMessage(pods: number): string {
  return pods === 1
    ? 'This location has 1 pod. Move or delete it first.'
    : `This location has ${pods} pods. Move or delete them first.`
}
