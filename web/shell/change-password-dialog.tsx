import { changePassword, OwnPasswordFields, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
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
      <OwnPasswordFields form={form} email={email} problem={findProblem(form.values.newPassword, email)} />
    </FormModal>
  )
}
