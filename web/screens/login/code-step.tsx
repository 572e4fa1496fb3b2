import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { signInWithCode } from '#web/api/sign-in.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { Failure, LoginForm, LoginFrame } from './login-frame.tsx'
import styles from './login-screen.module.css'

type CodeStepProps = {
  challenge: string
  /** Back to the password, with the reason where it was not the person's choice. */
  onStartAgain: (reason?: string) => void
}

/** After the password, for whoever has a second factor (rules §33.8). */
export function CodeStep({ challenge, onStartAgain }: CodeStepProps) {
  useDocumentTitle('Enter your code')
  const [isRecovery, setRecovery] = useState(false)
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
      if (error instanceof ApiError && error.code === 'challenge_over') return onStartAgain(error.message)
      form.setErrors(toFormErrors(error, ['code']).fields)
      focus()
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
          key={label}
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
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            setRecovery(!isRecovery)
            signIn.reset()
            form.reset()
          }}
        >
          {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" className={styles.link} onClick={() => onStartAgain()}>
          Back to log in
        </button>
      </LoginForm>
    </LoginFrame>
  )
}
