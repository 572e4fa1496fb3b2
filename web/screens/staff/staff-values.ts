import { type PageLevels, toPageLevels } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { listLevels, toLocationWords } from '#web/components/page-access-words.ts'

/** What stands in the form; `auth_page` holds the levels too, so that both are compared and chosen together. */
type StaffValues = {
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
  auth_page: PageLevels
  /** Null: all of them. */
  locations: string[] | null
}

export const staffLabels = {
  firstname: 'First name',
  lastname: 'Last name',
  email: 'Email',
  phoneNumber: 'Phone number',
  role: 'Role',
  auth_page: 'Page access',
  locations: 'Locations',
} as const satisfies Record<keyof StaffValues, string>

/** What cannot be read as it is, in words. */
export function showStaffValue(name: keyof StaffValues, values: StaffValues): string | undefined {
  if (name === 'locations') return toLocationWords(values.locations)
  return name === 'auth_page' ? listLevels(values.auth_page) : undefined
}

export function toStaffValues(staff: Staff | undefined): StaffValues {
  return {
    firstname: staff?.firstname ?? '',
    lastname: staff?.lastname ?? '',
    email: staff?.email ?? '',
    phoneNumber: staff?.phoneNumber ?? '',
    role: staff?.role ?? '',
    auth_page: toPageLevels(staff ?? { auth_page: [] }),
    locations: staff?.locations ?? null,
  }
}
