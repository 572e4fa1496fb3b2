import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import { changePassword, NewPasswordField, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { PasswordField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'

type ChangePasswordDialogProps = {
  /** The person's email: for password managers, and because the password must differ from it. */
  email: string
  onClose: () => void
}

/** Changes the person's own password. This session goes on; the others end. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const findProblem = useNewPasswordRules()
  const { form, modal } = useFormDialog({
    initialValues: { currentPassword: '', newPassword: '' },
    save: (body) => changePassword(body, findProblem(body.newPassword, email)),
    onClose,
  })

  return (
    <FormModal title="Change password" width={400} submitLabel="Change password" {...modal}>
      {/* Only for password managers, which store the new password under this email. */}
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
