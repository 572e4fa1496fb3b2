import type { z } from 'zod'
import type { Location, LocationBody, LocationEdit } from '#contract/locations.ts'
import type { Db } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import * as repository from './locations.repository.ts'

export async function getLocation(db: Db, id: string): Promise<Location> {
  const location = await repository.findLocation(db, id)
  if (!location) throw notFound('Location')
  return location
}

export async function createLocation(db: Db, { Street, ...rest }: z.output<typeof LocationBody>): Promise<Location> {
  return repository.createLocation(db, { id: createId(), street: Street, ...rest })
}

/** Absent fields stay as they are (rules §16.5). */
export async function updateLocation(db: Db, id: string, edit: z.output<typeof LocationEdit>): Promise<Location> {
  const { Street, isBlocked, ...rest } = edit
  const changes = { ...rest, street: Street, is_blocked: isBlocked }
  if (Object.values(changes).every((value) => value === undefined)) return getLocation(db, id)
  const location = await repository.updateLocation(db, id, changes)
  if (!location) throw notFound('Location')
  return location
}

/**
 * Refused while pods stand there (rules §6.5), also those that are being created at this moment. The row stays, hidden:
 * bookings and deleted pods refer to it.
 */
export async function deleteLocation(db: Db, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await repository.lockLocation(tx, id))) throw notFound('Location')
    const pods = await repository.countPodsOfLocation(tx, id)
    if (pods > 0) throw new AppError('location_has_pods', { message: toHasPodsMessage(pods) })
    await repository.updateLocation(tx, id, { deleted_at: now })
  })
}

function toHasPodsMessage(pods: number): string {
  return pods === 1
    ? 'This location has 1 pod. Move or delete it first.'
    : `This location has ${pods} pods. Move or delete them first.`
}
