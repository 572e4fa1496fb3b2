import { type PageLevels, toPageLevels } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'

/** The form's values. `auth_page` includes the levels, so that both are compared and chosen together. */
type StaffValues = {
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
  auth_page: PageLevels
  /** Null for all. */
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
