import { findPasswordProblem } from '#contract/password-rules.ts'
import { fieldError } from '#server/http/app-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** Throws a field error when the password breaks one of the rules (contract/password-rules.ts). */
export function requireGoodPassword(
  field: 'password' | 'newPassword',
  password: string,
  of: { email: string; productName: string },
): void {
  const problem = findPasswordProblem(password, { ...of, common: commonPasswords() })
  if (problem !== undefined) throw fieldError(field, `Password ${problem}`)
}
