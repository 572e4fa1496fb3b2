import type { Staff } from '#contract/staff.ts'

/** What stands in the form; `auth_page` holds page codes as texts, as the wire does. */
export type StaffValues = {
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
  password: string
  auth_page: string[]
}

export const staffFields = ['firstname', 'lastname', 'email', 'phoneNumber', 'role', 'password', 'auth_page'] as const

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

/** What can be said before the server is asked; it repeats every rule. */
export function findStaffProblems(
  values: StaffValues,
  isNew: boolean,
  findPasswordProblem: (password: string, email: string) => string | undefined,
): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.firstname.trim() === '') problems.firstname = 'First name is required'
  if (values.email.trim() === '') problems.email = 'Email is required'
  const passwordProblem = values.password === '' ? undefined : findPasswordProblem(values.password, values.email)
  if (isNew && values.password === '') problems.password = 'Password is required'
  else if (passwordProblem !== undefined) problems.password = passwordProblem
  return problems
}
