import type { z } from 'zod'
import type { RolePreset, RolePresetBody, RolePresetEdit } from '#contract/role-presets.ts'
import type { Actor, AppContext, Person, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { requireLocations, requireMayGive, toEditedAccess } from '../staff/staff.guards.ts'
import { lockStaff } from '../staff/staff.repository.ts'
import * as repository from './role-presets.repository.ts'

/**
 * Whoever saves a preset must hold all of its pages. Otherwise somebody with more access might give those pages by it
 * without noticing (rules §34.8).
 */

export async function createRolePreset(
  context: AppContext,
  actor: Actor,
  person: Person,
  { name, auth_page, viewOnlyPages, locations }: z.output<typeof RolePresetBody>,
): Promise<RolePreset> {
  const row = {
    id: createId(actor.now().getTime()),
    name,
    pages: auth_page,
    view_only_pages: viewOnlyPages,
    location_ids: locations,
    created_at: actor.now(),
  }
  return changing(context, async (tx) => {
    await requireMayGive(tx, person, { auth_page, viewOnlyPages })
    await requireLocations(tx, locations)
    await recordCreation(tx, actor, repository.rolePresetRecord, row.id, () => repository.insertRolePreset(tx, row))
    return requireRolePreset(tx, row.id)
  })
}

/** Absent fields stay as they are. The caller must hold all pages of the preset, before and after the change. */
export async function updateRolePreset(
  context: AppContext,
  actor: Actor,
  person: Person,
  id: string,
  { name, auth_page, viewOnlyPages, locations }: z.output<typeof RolePresetEdit>,
): Promise<RolePreset> {
  return change(context, actor, person, { id, action: 'edit' }, async (tx, preset) => {
    await requireMayGive(tx, person, toEditedAccess({ auth_page, viewOnlyPages }, preset))
    await requireLocations(tx, locations)
    return {
      name,
      pages: auth_page,
      view_only_pages: viewOnlyPages ?? (auth_page && []),
      location_ids: locations,
    }
  })
}

export async function deleteRolePreset(context: AppContext, actor: Actor, person: Person, id: string): Promise<void> {
  const details = { id, action: 'delete' } as const
  await change(context, actor, person, details, async () => ({ deleted_at: actor.now() }))
}

/** Checks an undo or a restore of a preset: the caller must hold its pages of now and of afterwards. */
export async function requireMayGiveAgain(tx: Tx, session: SignedIn, now: Fields, earlier: Fields): Promise<void> {
  for (const fields of [now, { ...now, ...earlier }]) {
    const access = { auth_page: toCodes(fields.pages), viewOnlyPages: toCodes(fields.view_only_pages) }
    await requireMayGive(tx, session, access)
  }
}

const toCodes = (pages: unknown) => (Array.isArray(pages) ? pages.map(Number) : [])

async function change(
  context: AppContext,
  actor: Actor,
  person: Person,
  details: ChangeDetails,
  toChanges: (tx: Tx, preset: RolePreset) => Promise<Parameters<typeof repository.updateRolePreset>[2]>,
): Promise<RolePreset> {
  const { id } = details
  return changing(context, async (tx) => {
    const preset = await requireRolePreset(tx, id)
    await requireMayGive(tx, person, preset)
    const changes = await toChanges(tx, preset)
    await recordChange(tx, actor, repository.rolePresetRecord, details, () =>
      repository.updateRolePreset(tx, id, changes),
    )
    return details.action === 'delete' ? preset : requireRolePreset(tx, id)
  })
}

/** Runs `work` under the lock on staff, so that the pages that the caller may give do not change meanwhile. */
async function changing<T>(context: AppContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    return work(tx)
  }).catch(refuseSameName)
}

/** Throws a 409 for the error of the database that another preset has the name, and any other error as it is. */
export function refuseSameName(error: unknown): never {
  if (!isUniqueViolation(error, 'role_presets_name_key')) throw error
  const message = 'There is a preset of this name already'
  throw new AppError('conflict', { message, fields: [{ path: 'name', message }] })
}

async function requireRolePreset(tx: Tx, id: string): Promise<RolePreset> {
  const preset = await repository.findRolePreset(tx, id)
  if (!preset) throw notFound('Preset')
  return preset
}
