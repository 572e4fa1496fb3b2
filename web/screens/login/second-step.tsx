import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ErrorBody, toRequiredMessage } from '#contract/errors.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { hasPasskeys, signInWithPasskey } from '#web/api/passkeys.ts'
import { signInWithCode } from '#web/api/sign-in.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { IconFingerprint } from '#web/ui/icons/icons.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { Failure, LoginForm, LoginFrame } from './login-frame.tsx'
import styles from './login-screen.module.css'

type SecondStepProps = {
  challenge: string
  passkey: ErrorBody['passkey']
  /** Returns to the password. `reason` is given when this was not the person's choice. */
  onStartAgain: (reason?: string) => void
}

const words = {
  passkey: 'Use your passkey',
  app: 'Use your authenticator app',
  recovery: 'Use a recovery code',
}
type Way = keyof typeof words

/** Asks for the second factor after the password (rules §33.8, §33.13). */
export function SecondStep({ challenge, passkey, onStartAgain }: SecondStepProps) {
  const ways: Way[] = ['recovery']
  if (!passkey?.isOnlyOne) ways.unshift('app')
  if (passkey && hasPasskeys()) ways.unshift('passkey')
  const [way = 'recovery', setWay] = useState(ways[0])
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'challenge_over') onStartAgain(error.message)
  }
  const others = (
    <>
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <button key={other} type="button" className={styles.link} onClick={() => setWay(other)}>
            {words[other]}
          </button>
        ))}
      <button type="button" className={styles.link} onClick={() => onStartAgain()}>
        Back to log in
      </button>
    </>
  )
  return way === 'passkey' && passkey ? (
    <PasskeyStep options={passkey.options} onError={onError}>
      {others}
    </PasskeyStep>
  ) : (
    <CodeStep key={way} challenge={challenge} isRecovery={way === 'recovery'} onError={onError}>
      {others}
    </CodeStep>
  )
}

type StepProps = { onError: (error: Error) => void; children: ReactNode }

type PasskeyStepProps = StepProps & { options: NonNullable<ErrorBody['passkey']>['options'] }

function PasskeyStep({ options, onError, children }: PasskeyStepProps) {
  useDocumentTitle('Use your passkey')
  const signIn = useMutation({ mutationFn: () => signInWithPasskey(options), onError })
  return (
    <LoginFrame title="Use your passkey">
      <p className={styles.notice}>
        Your browser asks for one that you added to your account: on this device, your phone, a security key or in a
        password manager.
      </p>
      <div className={styles.form}>
        <Failure text={signIn.error?.message} />
        <Button
          variant="primary"
          icon={<IconFingerprint size={16} />}
          loading={signIn.isPending}
          fullWidth
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- what the screen is for
          autoFocus
          onClick={() => signIn.mutate()}
        >
          Use passkey
        </Button>
        {children}
      </div>
    </LoginFrame>
  )
}

function CodeStep({
  challenge,
  isRecovery,
  onError,
  children,
}: StepProps & { challenge: string; isRecovery: boolean }) {
  useDocumentTitle('Enter your code')
  const label = isRecovery ? 'Recovery code' : 'Code'
  const form = useForm({
    mode: 'controlled',
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? toRequiredMessage(label) : null) },
  })
  const focus = () => form.getInputNode('code')?.focus()
  const signIn = useMutation({
    mutationFn: (code: string) => signInWithCode(challenge, code.trim()),
    onSuccess: (message) => {
      if (isRecovery) showSuccess(message)
    },
    onError: (error) => {
      form.setErrors(toFormErrors(error, ['code']).fields)
      focus()
      onError(error)
    },
  })
  const failure = signIn.error ? toFormErrors(signIn.error, ['code']).summary : undefined
  const submit = form.onSubmit(({ code }) => {
    if (!signIn.isPending) signIn.mutate(code)
  }, focus)

  return (
    <LoginFrame title={isRecovery ? 'Enter a recovery code' : 'Enter your code'}>
      <p className={styles.notice}>
        {isRecovery
          ? 'One of the ten that you kept when you set up your second factor. Each works once.'
          : `The six digits that your authenticator app shows for ${settings.productName}.`}
      </p>
      <LoginForm onSubmit={submit}>
        <TextField
          label={label}
          name="code"
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- this form is all there is on the screen
          autoFocus
          {...form.getInputProps('code')}
        />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={signIn.isPending} fullWidth>
          Log in
        </Button>
        {children}
      </LoginForm>
    </LoginFrame>
  )
}
