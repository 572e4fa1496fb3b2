import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { findPasswordProblem, MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import { submit } from '#web/api/check-body.ts'
import { apiQuery } from '#web/api/query.ts'
import { renewToken } from '#web/api/session.ts'
import { settings } from '#web/lib/settings.ts'
import { PasswordField } from '#web/ui/field/fields.tsx'
import type { useForm } from '#web/ui/form.ts'

const none: ReadonlySet<string> = new Set()
const toSet = ({ data }: { data: string[] }): ReadonlySet<string> => new Set(data)

/**
 * Returns a function that says what is wrong with a new password. The list of common passwords is loaded with the form;
 * until it has loaded, or if it cannot be, only the other rules are checked, and the server checks it on submission.
 */
export function useNewPasswordRules(): (password: string, email: string) => string | undefined {
  const list = useQuery({ ...apiQuery('auth', 'commonPasswords'), select: toSet, staleTime: Infinity })
  return (password, email) => {
    const { productName } = settings
    const problem = findPasswordProblem(password, { email, productName, common: list.data ?? none })
    return problem === undefined ? undefined : `Password ${problem}`
  }
}

type Passwords = { currentPassword: string; newPassword: string }

/** Changes the person's own password. `problem` is what is wrong with the new one. */
export async function changePassword(body: Passwords, problem: string | undefined) {
  const newPassword = body.newPassword === '' ? undefined : problem
  const response = await submit('auth', 'changePassword', { body }, { newPassword })
  if (response.data.token !== undefined) renewToken(response.data.token)
  return response
}

type NewPasswordFieldProps = {
  label: string
  value?: string
  onChange?: (value: string) => void
  /** The error from when the form was sent. */
  error?: ReactNode
  /** What is wrong with the current text; not shown while the field is empty. */
  problem: string | undefined
  hint: string
  required?: boolean
}

/** Field for a new password. Problems are shown while it is typed. */
export function NewPasswordField({ error, problem, ...field }: NewPasswordFieldProps) {
  const live = field.value === '' ? undefined : problem
  return <PasswordField {...field} name="new-password" autoComplete="new-password" error={error ?? live} />
}

type OwnPasswordFieldsProps = {
  form: ReturnType<typeof useForm<Passwords>>
  /** The person's email: for password managers. */
  email: string
  /** What is wrong with the new password. */
  problem: string | undefined
}

/** Fields to change one's own password. The form was opened to fill them in. */
export function OwnPasswordFields({ form, email, problem }: OwnPasswordFieldsProps) {
  return (
    <>
      {/* Only for password managers, which store the new password under this email. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        name="current-password"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- this is all that the form is for
        autoFocus
        {...form.getInputProps('currentPassword')}
      />
      <NewPasswordField
        label="New password"
        required
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Everywhere else you are signed out.`}
        problem={problem}
        {...form.getInputProps('newPassword')}
      />
    </>
  )
}
