import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { findPasswordProblem } from '#contract/password-rules.ts'
import { apiQuery } from '#web/api/query.ts'
import { settings } from '#web/lib/settings.ts'
import { PasswordField } from '#web/ui/field/fields.tsx'

const none: ReadonlySet<string> = new Set()
const toSet = ({ data }: { data: string[] }): ReadonlySet<string> => new Set(data)

/**
 * Says what is wrong with a new password as it is typed. The list of common ones is loaded with the form; until it is
 * there, or when it cannot be had, the other rules are said, and the server says that one when the form is sent.
 */
export function useNewPasswordRules(): (password: string, email: string) => string | undefined {
  const list = useQuery({ ...apiQuery('auth', 'commonPasswords'), select: toSet, staleTime: Infinity })
  return (password, email) => {
    const { productName } = settings
    const problem = findPasswordProblem(password, { email, productName, common: list.data ?? none })
    return problem === undefined ? undefined : `Password ${problem}`
  }
}

type NewPasswordFieldProps = {
  label: string
  value?: string
  onChange?: (value: string) => void
  /** What was wrong when the form was sent. */
  error?: ReactNode
  /** What is wrong with what is typed now; of an empty field nothing is said yet. */
  problem: string | undefined
  hint: string
  required?: boolean
}

/** A password to be set: what is wrong with it is shown, and said, while it is typed. */
export function NewPasswordField({ error, problem, ...field }: NewPasswordFieldProps) {
  const live = field.value === '' ? undefined : problem
  return (
    <PasswordField
      {...field}
      name="new-password"
      autoComplete="new-password"
      error={error ?? (live && <span role="alert">{live}</span>)}
    />
  )
}
