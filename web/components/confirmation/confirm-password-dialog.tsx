import { useRef } from 'react'
import { submit } from '#web/api/check-body.ts'
import { answerConfirmation } from '#web/api/confirmation.ts'
import { renewToken } from '#web/api/session.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { PasswordField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'

/** Asks for the password again; the requests that wait for it then continue, or fail if it is closed (rules §33.6). */
export function ConfirmPasswordDialog({ email }: { email: string }) {
  const isConfirmed = useRef(false)
  const { form, modal } = useFormDialog({
    initialValues: { password: '' },
    save: async (body) => {
      const response = await submit('account', 'confirm', { body })
      if (response.data.token !== undefined) renewToken(response.data.token)
      isConfirmed.current = true
      return response
    },
    onClose: () => answerConfirmation(isConfirmed.current),
  })
  return (
    <FormModal title="Enter your password again" width={400} submitLabel="Continue" {...modal} dirty={false}>
      <p>
        This changes access, or gives out personal data or a secret. You last gave your password more than 15 minutes
        ago.
      </p>
      {/* Hidden, only for password managers. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Password"
        name="confirmed-password"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to fill this in
        autoFocus
        {...form.getInputProps('password')}
      />
    </FormModal>
  )
}
