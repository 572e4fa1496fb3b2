import { useMutation } from '@tanstack/react-query'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { setMustSetUp } from '#web/api/session.ts'
import { changePassword, NewPasswordField, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
import { PasswordField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { Failure, LoginForm, LoginFrame, SignOut } from './login-frame.tsx'
import styles from './login-screen.module.css'

const fields = ['currentPassword', 'newPassword'] as const

/** For staff whose password was generated: it was on a screen or in a log, and must not stay (rules §33.18). */
export function ReplacePassword({ email }: { email: string }) {
  useDocumentTitle('Choose a password')
  const findProblem = useNewPasswordRules()
  const form = useForm({ mode: 'controlled', initialValues: { currentPassword: '', newPassword: '' } })
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      changePassword(body, findProblem(body.newPassword, email)),
    onSuccess: ({ data }) => {
      showSuccess(data.message)
      setMustSetUp(undefined)
    },
    onError: (error) => {
      const errors = toFormErrors(error, fields).fields
      form.setErrors(errors)
      const wrong = fields.find((field) => errors[field] !== undefined)
      if (wrong !== undefined) form.getInputNode(wrong)?.focus()
    },
  })
  const failure = change.error ? toFormErrors(change.error, fields).summary : undefined

  return (
    <LoginFrame title="Choose a password">
      <p className={styles.notice}>
        {settings.productName} made up the password that you have logged in with. Choose one of your own, which nobody
        else has seen, to go on.
      </p>
      <LoginForm
        onSubmit={(event) => {
          event.preventDefault()
          if (!change.isPending) change.mutate(form.getValues())
        }}
      >
        {/* Only for password managers, which store the new password under this email. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Present password"
          name="current-password"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- this form is all there is on the screen
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
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={change.isPending} fullWidth>
          Set password
        </Button>
        <SignOut />
      </LoginForm>
    </LoginFrame>
  )
}
