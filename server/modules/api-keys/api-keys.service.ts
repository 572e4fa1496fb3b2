import type { z } from 'zod'
import type { ApiKey, ApiKeyBody, ApiKeyEdit, ApiKeyListQuery } from '#contract/api-keys.ts'
import { levelOf, PAGE, type PageAccess } from '#contract/pages.ts'
import { toDate } from '#contract/slots.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { createKeyText, toKeyHash, toKeyPrefix } from '#server/http/api-key.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { requireLocations, requireMayGive, toEditedAccess } from '../staff/staff.guards.ts'
import { lockStaff } from '../staff/staff.repository.ts'
import * as repository from './api-keys.repository.ts'

const toToday = (context: AppContext) => toDate(toBusinessNow(context))

export async function listApiKeys(context: AppContext, query: z.output<typeof ApiKeyListQuery>) {
  return repository.listApiKeys(context.db, query, toToday(context))
}

/** Returns the key too, of which only a hash is stored. It belongs to the platform and outlives its maker's account. */
export async function createApiKey(
  context: AppContext,
  actor: Actor,
  person: Person,
  { name, auth_page, viewOnlyPages, locations, expiresOn }: z.output<typeof ApiKeyBody>,
): Promise<ApiKey & { key: string }> {
  const today = toToday(context)
  requireToCome(expiresOn, today)
  const key = createKeyText()
  const row = {
    id: createId(),
    name,
    prefix: toKeyPrefix(key),
    key_hash: toKeyHash(key),
    pages: auth_page,
    view_only_pages: viewOnlyPages,
    location_ids: locations,
    expires_on: expiresOn,
    created_by: person.staff._id,
    created_at: actor.now(),
  }
  return inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    await requireMayHold(tx, person, { auth_page, viewOnlyPages })
    await requireLocations(tx, locations)
    await recordCreation(tx, actor, repository.apiKeyRecord(today), row.id, () => repository.insertApiKey(tx, row))
    return { ...(await requireApiKey(tx, row.id, today)), key }
  })
}

/** Absent fields stay as they are. The person must hold all that the key may do, before and after the change. */
export async function updateApiKey(
  context: AppContext,
  actor: Actor,
  person: Person,
  id: string,
  { name, auth_page, viewOnlyPages, locations, expiresOn }: z.output<typeof ApiKeyEdit>,
): Promise<ApiKey> {
  const today = toToday(context)
  return change(context, actor, { id, action: 'edit' }, async (tx, key) => {
    if (expiresOn !== undefined && expiresOn !== key.expiresOn) requireToCome(expiresOn, today)
    await requireMayHold(tx, person, key)
    await requireMayHold(tx, person, toEditedAccess({ auth_page, viewOnlyPages }, key))
    await requireLocations(tx, locations, key.locations ?? [])
    return {
      name,
      pages: auth_page,
      view_only_pages: viewOnlyPages ?? (auth_page && []),
      location_ids: locations,
      expires_on: expiresOn,
    }
  })
}

/** Revokes a key for good. Anyone who manages staff may: a leaked key must not wait for someone with its pages. */
export async function revokeApiKey(context: AppContext, actor: Actor, id: string): Promise<void> {
  await change(context, actor, { id, action: 'revoke' }, async () => ({ revoked_at: actor.now() }))
}

async function change(
  context: AppContext,
  actor: Actor,
  details: ChangeDetails,
  toChanges: (tx: Tx, key: ApiKey) => Promise<Parameters<typeof repository.updateApiKey>[2]>,
): Promise<ApiKey> {
  const today = toToday(context)
  const { id } = details
  return inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    const key = await requireApiKey(tx, id, today)
    if (key.state === 'revoked') throw new AppError('conflict', { message: 'This key has been revoked.' })
    const changes = await toChanges(tx, key)
    await recordChange(tx, actor, repository.apiKeyRecord(today), details, () =>
      repository.updateApiKey(tx, id, changes),
    )
    return requireApiKey(tx, id, today)
  })
}

async function requireApiKey(tx: Tx, id: string, today: string): Promise<ApiKey> {
  const key = await repository.findApiKey(tx, id, today)
  if (!key) throw notFound('API key')
  return key
}

/** Throws unless a key of this person may hold the access. Keys may never edit Assign Role. */
async function requireMayHold(tx: Tx, person: Person, access: PageAccess): Promise<void> {
  if (levelOf(PAGE.staff, access) === 'edit') {
    throw fieldError('auth_page', 'A key may look at Assign Role, not change it')
  }
  await requireMayGive(tx, person, access)
}

function requireToCome(day: string | null, today: string): void {
  if (day !== null && day < today) throw fieldError('expiresOn', 'This day has passed')
}
