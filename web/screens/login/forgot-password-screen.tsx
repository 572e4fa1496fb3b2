import { useMutation } from '@tanstack/react-query'
import { toRequiredMessage } from '#contract/errors.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Link } from '#web/lib/link.tsx'
import { LOGIN_PATH } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useForm } from '#web/ui/form.ts'
import { EmailField, Failure, LoginForm, LoginFrame } from './login-frame.tsx'
import styles from './login-screen.module.css'

/** Requests a mail with a password link. Its text is the same whether the address is known or not (rules §33.3). */
export function ForgotPasswordScreen() {
  useDocumentTitle('Forgot password')
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (email.trim() === '' ? toRequiredMessage('Email Address') : null) },
  })
  const focus = () => form.getInputNode('email')?.focus()
  const request = useMutation({
    mutationFn: (email: string) => api('auth', 'requestPasswordLink', { body: { email } }),
    onError: (error) => {
      const errors = toFormErrors(error, ['email']).fields
      form.setErrors(errors)
      if (errors.email !== undefined) focus()
    },
  })
  const failure = request.error ? toFormErrors(request.error, ['email']).summary : undefined
  const submit = form.onSubmit(({ email }) => request.mutate(email.trim()), focus)

  return (
    <LoginFrame title="Forgot password?">
      {request.data ? (
        <output className={styles.notice}>
          {request.data.data.message} The link works once, within an hour. If no mail comes, ask a colleague with access
          to Assign Role.
        </output>
      ) : (
        <p className={styles.notice}>Enter your email address. We will mail you a link to choose a new password.</p>
      )}
      <LoginForm onSubmit={submit}>
        <EmailField {...form.getInputProps('email')} />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={request.isPending} fullWidth>
          {request.data ? 'Mail the link again' : 'Mail me a link'}
        </Button>
        <Link href={LOGIN_PATH} className={styles.link}>
          Back to log in
        </Link>
      </LoginForm>
    </LoginFrame>
  )
}
