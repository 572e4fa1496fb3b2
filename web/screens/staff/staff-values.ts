import { pages } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'

/** What stands in the form; `auth_page` holds page codes as texts, as the wire does. */
type StaffValues = {
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
  auth_page: string[]
}

export const staffLabels = {
  firstname: 'First name',
  lastname: 'Last name',
  email: 'Email',
  phoneNumber: 'Phone number',
  role: 'Role',
  auth_page: 'Page access',
} as const satisfies Record<keyof StaffValues, string>

/** What cannot be read as it is, in words. */
export function showStaffValue(name: keyof StaffValues, values: StaffValues): string | undefined {
  if (name !== 'auth_page') return undefined
  const held = pages.filter(({ id }) => values.auth_page.includes(String(id)))
  return held.map((page) => page.name).join(', ')
}

export function toStaffValues(staff: Staff | undefined): StaffValues {
  return {
    firstname: staff?.firstname ?? '',
    lastname: staff?.lastname ?? '',
    email: staff?.email ?? '',
    phoneNumber: staff?.phoneNumber ?? '',
    role: staff?.role ?? '',
    auth_page: staff?.auth_page ?? [],
  }
}
