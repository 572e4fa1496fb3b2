import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import type { NewKey } from '#contract/second-factors.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { addPasskey, hasPasskeys } from '#web/api/passkeys.ts'
import { setMustSetUp, useSession } from '#web/api/session.ts'
import { Confirmation } from '#web/components/confirmation/confirmation.tsx'
import { NewKeyWords } from '#web/components/second-factor/new-key-words.tsx'
import { RecoveryCodeList } from '#web/components/second-factor/recovery-code-list.tsx'
import { useHasSecondFactor } from '#web/components/second-factor/use-has-second-factor.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useKeepOnScreen } from '#web/lib/keep-on-screen.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { IconFingerprint } from '#web/ui/icons/icons.tsx'
import { Failure, LoginForm, LoginFrame, SignOut } from './login-frame.tsx'
import styles from './login-screen.module.css'
import { ReplacePassword } from './replace-password.tsx'

/**
 * For staff who must choose a password of their own (rules §33.18) or set up a second factor (rules §33.10) first. Its
 * guard then redirects to the requested page.
 */
export function SetUpScreen() {
  const session = useSession()
  // After signing out, nothing may be requested until the redirect to the login.
  if (!session) return null
  const email = session.userData?.email
  return session.mustSetUp === 'password' ? <ReplacePassword email={email ?? ''} /> : <SetUpFactor email={email} />
}

function SetUpFactor({ email }: { email: string | undefined }) {
  useDocumentTitle('Set up a second factor')
  const hasSecondFactor = useHasSecondFactor()
  const [newKey, setNewKey] = useState<NewKey>()
  const [codes, setCodes] = useState<readonly string[]>()
  const make = useMutation({
    mutationFn: () => api('secondFactors', 'create'),
    onSuccess: ({ data }) => setNewKey(data),
  })
  const passkey = useMutation({
    mutationFn: () => addPasskey(),
    // There are no recovery codes if another tab has set up a second factor meanwhile.
    onSuccess: ({ data }) => (data.recoveryCodes ? setCodes(data.recoveryCodes) : setMustSetUp(undefined)),
  })
  // With a key or recovery codes on the screen, they set one up here.
  const isOver = hasSecondFactor && newKey === undefined && codes === undefined
  useEffect(() => {
    if (isOver) setMustSetUp(undefined)
  }, [isOver])

  /** Starts one of the two ways, and clears the errors of both. */
  const start = (one: typeof make | typeof passkey) => {
    if (make.isPending || passkey.isPending) return
    make.reset()
    passkey.reset()
    one.mutate()
  }

  if (codes) return <KeepCodes codes={codes} />
  if (newKey) return <FirstCode newKey={newKey} email={email} onCodes={setCodes} onBack={() => setNewKey(undefined)} />
  return (
    <LoginFrame title="Set up a second factor">
      <p className={styles.notice}>
        {settings.productName} asks everyone for one. With it, your password alone lets nobody in: signing in asks for a
        code from your phone too. It takes a minute.
      </p>
      <div className={styles.form}>
        <ol className={styles.steps}>
          <li>Have an authenticator app on your phone: the one that you use elsewhere will do.</li>
          <li>Scan a code with it, and enter the six digits that it shows.</li>
          <li>Keep ten recovery codes for when your phone is not at hand.</li>
        </ol>
        <Failure text={(make.error ?? passkey.error)?.message} />
        <Button variant="primary" fullWidth loading={make.isPending} onClick={() => start(make)}>
          Set up
        </Button>
        {hasPasskeys() && (
          <Button
            icon={<IconFingerprint size={16} />}
            fullWidth
            loading={passkey.isPending}
            onClick={() => start(passkey)}
          >
            Use a passkey instead
          </Button>
        )}
        <SignOut />
      </div>
      <Confirmation email={email} />
    </LoginFrame>
  )
}

type FirstCodeProps = {
  newKey: NewKey
  email: string | undefined
  onCodes: (codes: readonly string[]) => void
  onBack: () => void
}

function FirstCode({ newKey, email, onCodes, onBack }: FirstCodeProps) {
  const form = useForm({
    mode: 'controlled',
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? toRequiredMessage('Code') : null) },
  })
  const focus = () => form.getInputNode('code')?.focus()
  const confirm = useMutation({
    mutationFn: (code: string) => api('secondFactors', 'confirm', { body: { code } }),
    onSuccess: ({ data }) => onCodes(data.recoveryCodes),
    onError: (error) => {
      form.setErrors(toFormErrors(error, ['code']).fields)
      focus()
    },
  })
  const failure = confirm.error ? toFormErrors(confirm.error, ['code']).summary : undefined
  const submit = form.onSubmit(({ code }) => {
    if (!confirm.isPending) confirm.mutate(code.trim())
  }, focus)

  return (
    <LoginFrame title="Scan this with your app">
      <LoginForm onSubmit={submit}>
        <NewKeyWords newKey={newKey} />
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          hint="The six digits that the app shows now."
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one field of the screen
          autoFocus
          {...form.getInputProps('code')}
        />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={confirm.isPending} fullWidth>
          Turn on
        </Button>
        <button type="button" className={styles.link} onClick={onBack}>
          Back
        </button>
        <SignOut />
      </LoginForm>
      <Confirmation email={email} />
    </LoginFrame>
  )
}

function KeepCodes({ codes }: { codes: readonly string[] }) {
  useKeepOnScreen()
  return (
    <LoginFrame title="Keep your recovery codes">
      <div className={styles.form}>
        <RecoveryCodeList codes={codes} />
        <Button variant="primary" fullWidth onClick={() => setMustSetUp(undefined)}>
          I have kept them
        </Button>
      </div>
    </LoginFrame>
  )
}
