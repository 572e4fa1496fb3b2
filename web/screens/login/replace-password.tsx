import { useMutation } from '@tanstack/react-query'
import { toFormErrors } from '#web/api/form-errors.ts'
import { setMustSetUp } from '#web/api/session.ts'
import { changePassword, OwnPasswordFields, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
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
        <OwnPasswordFields form={form} email={email} problem={findProblem(form.values.newPassword, email)} />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={change.isPending} fullWidth>
          Set password
        </Button>
        <SignOut />
      </LoginForm>
    </LoginFrame>
  )
}
