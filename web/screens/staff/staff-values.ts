import type { Staff } from '#contract/staff.ts'

/** What stands in the form; `auth_page` holds page codes as texts, as the wire does. */
type StaffValues = {
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
  password: string
  auth_page: string[]
}

export function toStaffValues(staff: Staff | undefined): StaffValues {
  return {
    firstname: staff?.firstname ?? '',
    lastname: staff?.lastname ?? '',
    email: staff?.email ?? '',
    phoneNumber: staff?.phoneNumber ?? '',
    role: staff?.role ?? '',
    password: '',
    auth_page: staff?.auth_page ?? [],
  }
}

/** An empty password is left out of an edit (rules §9.2). */
export function toStaffEdit({
  password,
  ...values
}: StaffValues): Omit<StaffValues, 'password'> & { password?: string } {
  return password === '' ? values : { ...values, password }
}
