import { levelOf, nameMissingAccess, PAGE, type PageAccess } from '#contract/pages.ts'
import { findColleagueProblem } from '#contract/staff-rules.ts'
import type { Staff } from '#contract/staff.ts'
import type { SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { areLocations, findAccessOfDeleted, findStaff, hasOtherManager } from './staff.repository.ts'

/** Guards for changes of staff (rules §9.1). The caller must hold `lockStaff`. */

type Access = PageAccess & { locations?: readonly string[] | undefined }

/** Staff with some locations manage nobody, as colleagues belong to all locations (rules §37.6). */
const managesStaff = (access: Access) => levelOf(PAGE.staff, access) === 'edit' && access.locations === undefined

/** Returns the caller as stored now: they may have been blocked, or have lost page 8, while waiting for the lock. */
async function requireManager(tx: Tx, session: SignedIn): Promise<Staff> {
  const actor = await findStaff(tx, session.id)
  if (!actor || actor.isBlocked) throw new AppError('not_signed_in')
  if (!managesStaff(actor)) throw new AppError(actor.locations ? 'all_locations_required' : 'page_required')
  return actor
}

/** Returns the caller if they may change, block, unblock or delete `staff`, having at least the same access. */
export async function requireManagerOf(tx: Tx, session: SignedIn, staff: Staff): Promise<Staff> {
  const actor = await requireManager(tx, session)
  const message = findColleagueProblem(staff, actor)
  if (message !== undefined) throw new AppError('colleague_has_more', { message })
  return actor
}

/**
 * Checks a block, a deletion or the loss of page 8: it must affect neither the caller nor the last active manager. When
 * two managers block each other at the same moment, the second is refused, as the first is then the last one.
 */
export async function requireCanLose(tx: Tx, staff: Staff, session: SignedIn): Promise<void> {
  if (staff._id === session.id) throw new AppError('own_account')
  const isActiveManager = managesStaff(staff) && !staff.isBlocked
  if (isActiveManager && !(await hasOtherManager(tx, staff._id))) throw new AppError('last_staff_manager')
}

export function requireViewOnlyHeld({ auth_page, viewOnlyPages = [] }: PageAccess): void {
  const held = new Set(auth_page.map(Number))
  if (viewOnlyPages.every((page) => held.has(Number(page)))) return
  throw fieldError('viewOnlyPages', 'Pages to look at must be among auth_page')
}

/** Requires that the locations exist. Those in `kept`, which the person has already, may have been deleted since. */
export async function requireLocations(
  tx: Tx,
  wanted: readonly string[] | null | undefined,
  kept: readonly string[] = [],
) {
  const added = (wanted ?? []).filter((id) => !kept.includes(id))
  if (await areLocations(tx, added)) return
  throw fieldError('locations', 'One of these locations does not exist any more. Choose again.')
}

/** Requires that the caller grants no more access than they hold, not even to themselves. */
export function requireGrantable(access: PageAccess, actor: Staff): void {
  const missing = nameMissingAccess(access, actor)
  if (missing === undefined) return
  const message = `You can only grant pages that you hold yourself, and not ${missing}.`
  throw new AppError('page_not_held', { message, fields: [{ path: 'auth_page', message }] })
}

/** Requires that the caller manages staff and holds the access that they give. */
export async function requireMayGive(tx: Tx, session: SignedIn, access: PageAccess): Promise<void> {
  requireViewOnlyHeld(access)
  requireGrantable(access, await requireManager(tx, session))
}

/** Returns the pages after an edit. Pages that are sent without view-only pages can all be edited (rules §34.1). */
export function toEditedAccess(
  { auth_page, viewOnlyPages }: { [Field in keyof PageAccess]-?: PageAccess[Field] | undefined },
  before: PageAccess,
): PageAccess {
  if (auth_page === undefined && viewOnlyPages === undefined) return before
  return { auth_page: auth_page ?? before.auth_page, viewOnlyPages: viewOnlyPages ?? [] }
}

/** Checks an undo or restore of staff: the caller must be allowed to make the resulting change directly. */
export async function requireMayTakeBack(
  tx: Tx,
  session: SignedIn,
  id: string,
  earlier: { is_blocked?: unknown; pages?: unknown; view_only_pages?: unknown; location_ids?: unknown },
): Promise<void> {
  const staff = await findStaff(tx, id)
  if (!staff) return requireGrantable(await findAccessOfDeleted(tx, id), await requireManager(tx, session))
  const access: Access = {
    auth_page: Array.isArray(earlier.pages) ? earlier.pages.map(Number) : staff.auth_page,
    viewOnlyPages: Array.isArray(earlier.view_only_pages) ? earlier.view_only_pages.map(Number) : staff.viewOnlyPages,
    locations: 'location_ids' in earlier ? toIds(earlier.location_ids) : staff.locations,
  }
  if (earlier.is_blocked === true || losesManager(staff, access)) await requireCanLose(tx, staff, session)
  requireGrantable(access, await requireManagerOf(tx, session, staff))
}

/** Reads location ids as stored in the history; undefined for all locations. */
function toIds(ids: unknown): string[] | undefined {
  return Array.isArray(ids) ? ids.map(String) : undefined
}

/** Returns whether somebody who manages staff would no longer do so with `access`. */
export function losesManager(staff: Staff, access: Access): boolean {
  return managesStaff(staff) && !managesStaff(access)
}
