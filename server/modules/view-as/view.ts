import { levelOf, PAGE } from '#contract/pages.ts'
import { findColleagueProblem } from '#contract/staff-rules.ts'
import type { Staff } from '#contract/staff.ts'
import type { Person } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { findStaff } from '../staff/staff.repository.ts'

type Kept = { viewed_staff_id: string | null; viewed_until: Date | null }

/**
 * Returns the colleague whose portal a person sees, as stored in their session (docs/decisions/050). Whether the person
 * still may see it is checked at every request, like everything that a session may do (rules §34.12).
 */
export async function findView(db: Db, person: Person, kept: Kept, now: Date): Promise<Person['view']> {
  const { viewed_staff_id: id, viewed_until: until } = kept
  if (id === null || until === null) return undefined
  const colleague = await findStaff(db, id)
  return {
    id,
    staff: {
      _id: id,
      firstname: colleague?.firstname ?? '',
      lastname: colleague?.lastname ?? '',
      email: colleague?.email ?? '',
      phoneNumber: colleague?.phoneNumber ?? '',
      role: colleague?.role ?? '',
    },
    pages: (colleague?.auth_page ?? []).map(Number),
    viewOnlyPages: (colleague?.viewOnlyPages ?? []).map(Number),
    locations: colleague?.locations ?? null,
    until,
    over: findEnd(person, colleague, until, now),
  }
}

/** Returns why a view is over; undefined while it goes on. */
function findEnd(person: Person, colleague: Staff | undefined, until: Date, now: Date): string | undefined {
  if (until <= now) return 'The 30 minutes were over'
  if (!colleague) return 'The colleague was deleted'
  if (colleague.isBlocked) return 'The colleague was blocked'
  const held = { auth_page: person.pages, viewOnlyPages: person.viewOnlyPages }
  if (levelOf(PAGE.staff, held) !== 'edit' || person.locations) return 'They do not manage staff any more'
  return findColleagueProblem(colleague, held)
}
