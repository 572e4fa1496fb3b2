import { useMutation } from '@tanstack/react-query'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { NewPasswordField, useNewPasswordRules } from '#web/components/new-password.tsx'
import { PasswordField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

type ChangePasswordDialogProps = {
  /** Whose: for password managers, and because it must not be the password. */
  email: string
  onClose: () => void
}

const fields = ['currentPassword', 'newPassword'] as const

/** One's own password; the session goes on, those elsewhere end. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const findProblem = useNewPasswordRules()
  const form = useForm({
    mode: 'controlled',
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (text) => (text === '' ? 'Your present password is required' : null),
      newPassword: (text) => (text === '' ? 'Password is required' : (findProblem(text, email) ?? null)),
    },
  })
  const save = useMutation({
    mutationFn: (body: typeof form.values) => api('auth', 'changePassword', { body }),
    onSuccess: ({ data }) => {
      showSuccess(data.message)
      onClose()
    },
    onError: (error) => form.setErrors(toFormErrors(error, fields).fields),
  })
  const summary = save.error && toFormErrors(save.error, fields).summary

  return (
    <FormModal
      title="Change password"
      width={400}
      submitLabel="Change password"
      dirty={form.isDirty()}
      pending={save.isPending}
      problem={summary ? { ...toProblem(save.error), message: summary } : null}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      {/* Seen by password managers alone: they keep the new one with it. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Present password"
        name="current-password"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to fill this in
        autoFocus
        {...form.getInputProps('currentPassword')}
      />
      <NewPasswordField
        label="New password"
        required
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Everywhere else you are signed out.`}
        problem={findProblem(form.values.newPassword, email)}
        {...form.getInputProps('newPassword')}
      />
    </FormModal>
  )
}
