import { levelOf, nameMissingAccess, PAGE, type PageAccess } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { findColleagueProblem } from '#contract/staff-rules.ts'
import type { SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { areLocations, findAccessOfDeleted, findStaff, hasOtherManager } from './staff.repository.ts'

/** Who may do what to staff (rules §9.1). Each holds under `lockStaff` alone. */

type Access = PageAccess & { locations?: readonly string[] | undefined }

/** Who has some locations manages nobody: colleagues are of all of them (rules §37.6). */
const managesStaff = (access: Access) => levelOf(PAGE.staff, access) === 'edit' && access.locations === undefined

/** Whoever asks, as they are now: they may have been blocked, or have lost page 8, while waiting for the lock. */
export async function requireManager(tx: Tx, session: SignedIn): Promise<Staff> {
  const actor = await findStaff(tx, session.id)
  if (!actor || actor.isBlocked) throw new AppError('not_signed_in')
  if (!managesStaff(actor)) throw new AppError(actor.locations ? 'all_locations_required' : 'page_required')
  return actor
}

/** Whoever asks, when they may change this member, block, unblock or delete them: they may do all that the member may. */
export async function requireManagerOf(tx: Tx, session: SignedIn, staff: Staff): Promise<Staff> {
  const actor = await requireManager(tx, session)
  const message = findColleagueProblem(staff, actor)
  if (message !== undefined) throw new AppError('colleague_has_more', { message })
  return actor
}

/**
 * Before a block, a deletion or the loss of page 8: not to oneself, and not to the last who could undo it. Of two who
 * block each other at the same moment, the second finds the first to be the last.
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

/** That they are there; those that somebody has already may have been deleted since. */
export async function requireLocations(
  tx: Tx,
  wanted: readonly string[] | null | undefined,
  kept: readonly string[] = [],
) {
  const added = (wanted ?? []).filter((id) => !kept.includes(id))
  if (await areLocations(tx, added)) return
  throw fieldError('locations', 'One of these locations does not exist any more. Choose again.')
}

/** Nobody grants more than they hold, not even to themselves. */
export function requireGrantable(access: PageAccess, actor: Staff): void {
  const missing = nameMissingAccess(access, actor)
  if (missing === undefined) return
  const message = `You can only grant pages that you hold yourself, and not ${missing}.`
  throw new AppError('page_not_held', { message, fields: [{ path: 'auth_page', message }] })
}

/** Before a change of staff is taken back: what then holds is what they could have done themselves. */
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

/** As the history has them; undefined of who had all. */
function toIds(ids: unknown): string[] | undefined {
  return Array.isArray(ids) ? ids.map(String) : undefined
}

/** Whether a member who manages staff would not do so any more. */
export function losesManager(staff: Staff, access: Access): boolean {
  return managesStaff(staff) && !managesStaff(access)
}
