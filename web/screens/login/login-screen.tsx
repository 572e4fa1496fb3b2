import { useState } from 'react'
import { type ErrorBody, toRequiredMessage } from '#contract/errors.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { hasPasskeys, PasskeyError, signInWithPasskey } from '#web/api/passkeys.ts'
import { getSessionEnd } from '#web/api/session.ts'
import { signIn } from '#web/api/sign-in.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Link } from '#web/lib/link.tsx'
import { settings } from '#web/lib/settings.ts'
import { FORGOT_PASSWORD_PATH } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { PasswordField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { IconFingerprint } from '#web/ui/icons/icons.tsx'
import { EmailField, Failure, LoginForm, LoginFrame } from './login-frame.tsx'
import styles from './login-screen.module.css'
import { SecondStep } from './second-step.tsx'

const fields = ['email', 'password'] as const

/** The login. Signing in starts the session; the guards in web/routes.tsx then redirect to the requested page. */
export function LoginScreen() {
  useDocumentTitle('Log in')
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() === '' ? toRequiredMessage('Email Address') : null),
      password: (password) => (password === '' ? toRequiredMessage('Password') : null),
    },
  })
  const [pending, setPending] = useState<'password' | 'passkey'>()
  const [failure, setFailure] = useState<string>()
  const [asked, setAsked] = useState<{ challenge: string; passkey: ErrorBody['passkey'] }>()

  const submit = form.onSubmit(
    ({ email, password }) => {
      if (pending) return
      setPending('password')
      setFailure(undefined)
      signIn(email.trim(), password).catch((error: unknown) => {
        setPending(undefined)
        if (error instanceof ApiError && error.challenge !== undefined) {
          return setAsked({ challenge: error.challenge, passkey: error.passkey })
        }
        const errors = toFormErrors(error, fields)
        form.setErrors(errors.fields)
        setFailure(toFailureText(error, errors.summary))
        focus(errors.fields.email === undefined ? 'password' : 'email')
      })
    },
    (errors) => {
      setFailure(undefined)
      focus(errors.email ? 'email' : 'password')
    },
  )
  const focus = (field: (typeof fields)[number]) => form.getInputNode(field)?.focus()

  const signInByPasskey = () => {
    setPending('passkey')
    setFailure(undefined)
    form.clearErrors()
    signInWithPasskey().catch((error: unknown) => {
      setPending(undefined)
      setFailure(error instanceof PasskeyError ? error.message : toFailureText(error, toFormErrors(error, []).summary))
    })
  }

  const startAgain = (reason?: string) => {
    setAsked(undefined)
    form.setFieldValue('password', '')
    setFailure(reason)
  }

  if (asked) return <SecondStep {...asked} onStartAgain={startAgain} />
  return (
    <LoginFrame title={`Log in to the ${settings.productName} Admin Portal`}>
      {getSessionEnd() === 'expired' && (
        <output className={styles.notice}>Your session has ended. Log in again to continue where you were.</output>
      )}
      <LoginForm onSubmit={submit}>
        <EmailField {...form.getInputProps('email')} />
        <PasswordField label="Password" name="password" {...form.getInputProps('password')} />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={pending === 'password'} fullWidth>
          Log in
        </Button>
        {hasPasskeys() && (
          <Button
            icon={<IconFingerprint size={16} />}
            loading={pending === 'passkey'}
            fullWidth
            onClick={() => !pending && signInByPasskey()}
          >
            Sign in with a passkey
          </Button>
        )}
        <Link href={FORGOT_PASSWORD_PATH} className={styles.link}>
          Forgot password?
        </Link>
      </LoginForm>
    </LoginFrame>
  )
}

/** Returns the server's message, or 'Login failed' (rules §3.2) with the reason when no response came from it. */
function toFailureText(error: unknown, summary: string | undefined): string | undefined {
  if (!(error instanceof ApiError)) return 'Login failed'
  if (error.code === 'network' || error.code === 'unreadable') return `Login failed. ${error.message}`
  return summary
}
