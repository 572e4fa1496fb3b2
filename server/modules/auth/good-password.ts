import { findPasswordProblem } from '#contract/password-rules.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/http/app-error.ts'
import { commonPasswords } from './common-passwords.ts'

const BREACHED = 'Password is known from a data breach, so it would be guessed. Choose another one'

type PasswordField = 'password' | 'newPassword'

/** Throws a field error when the password breaks one of the rules (contract/password-rules.ts). */
export function requireGoodPassword(
  { config: { productName } }: Pick<AppContext, 'config'>,
  field: PasswordField,
  password: string,
  email: string,
): void {
  const problem = findPasswordProblem(password, { email, productName, common: commonPasswords() })
  if (problem !== undefined) throw fieldError(field, `Password ${problem}`)
}

/** Throws a field error when the password is known from a data breach. Must run outside transactions, as it may wait. */
export async function requireUnbreached(
  { isBreached }: Pick<AppContext, 'isBreached'>,
  field: PasswordField,
  password: string,
): Promise<void> {
  if (await isBreached(password)) throw fieldError(field, BREACHED)
}

/** Returns the error for a new password that is the present one. */
export const notReplaced = () => fieldError('newPassword', 'Password must be another than the present one')
