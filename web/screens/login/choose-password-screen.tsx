import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit as send } from '#web/api/check-body.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { apiQuery } from '#web/api/query.ts'
import { isLost } from '#web/api/retry.ts'
import { getSession, useSession } from '#web/api/session.ts'
import { signOut } from '#web/api/sign-in.ts'
import { NewPasswordField, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Link } from '#web/lib/link.tsx'
import { settings } from '#web/lib/settings.ts'
import { FORGOT_PASSWORD_PATH, LOGIN_PATH } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useForm } from '#web/ui/form.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { Failure, LoginForm, LoginFrame } from './login-frame.tsx'
import styles from './login-screen.module.css'

/** The target of password links (rules §33.2). The token comes after `#`, and is only sent in request bodies. */
export function ChoosePasswordScreen() {
  useDocumentTitle('Choose a password')
  const token = useSyncExternalStore(subscribeHash, () => window.location.hash.slice(1))
  const link = useQuery({ ...apiQuery('auth', 'readPasswordLink', { body: { token } }), refetchOnWindowFocus: false })
  /** The token whose use got no response, so that it may have been used. */
  const [lost, setLost] = useState<string>()
  const isOver = token === '' || (link.error instanceof ApiError && link.error.code === 'link_over')

  const over = <LinkOver mayBeUsed={lost === token} />
  if (isOver) return over
  if (link.data) {
    const props = { token, over, onLost: () => setLost(token), ...link.data.data }
    return <ChoosePassword key={token} {...props} />
  }
  if (link.error) {
    return (
      <LoginFrame title="Choose a password">
        <div className={styles.form}>
          <Failure text={link.error.message} />
          <Button variant="primary" fullWidth onClick={() => void link.refetch()} loading={link.isFetching}>
            Try again
          </Button>
        </div>
      </LoginFrame>
    )
  }
  return <LoginFrame title="Choose a password">{null}</LoginFrame>
}

/** Another link that is opened in the same tab differs after the `#` only, so the page is not loaded again. */
function subscribeHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

type ChoosePasswordProps = {
  token: string
  firstname: string
  email: string
  isNew: boolean
  /** Shown once the link is over. */
  over: ReactNode
  onLost: () => void
}

function ChoosePassword({ token, over, onLost, ...whom }: ChoosePasswordProps) {
  const { navigate } = useRouter()
  const other = useSession()?.userData?.email
  const findProblem = useNewPasswordRules()
  const form = useForm({ mode: 'controlled', initialValues: { newPassword: '' } })
  const problem = findProblem(form.values.newPassword, whom.email)
  const choose = useMutation({
    mutationFn: (newPassword: string) => {
      const own = newPassword === '' ? undefined : findProblem(newPassword, whom.email)
      return send('auth', 'usePasswordLink', { body: { token, newPassword } }, { newPassword: own })
    },
    onSuccess: async ({ data }) => {
      // The server has ended the person's own sessions, but not that of somebody else who is signed in here.
      if (getSession()) await signOut()
      showSuccess(data.message)
      await navigate({ to: LOGIN_PATH, replace: true })
    },
    onError: (error) => {
      if (isLost(error)) onLost()
      const errors = toFormErrors(error, ['newPassword']).fields
      form.setErrors(errors)
      if (errors.newPassword !== undefined) form.getInputNode('newPassword')?.focus()
    },
  })
  const failure = choose.error ? toFormErrors(choose.error, ['newPassword']).summary : undefined
  if (choose.error instanceof ApiError && choose.error.code === 'link_over') return over

  return (
    <LoginFrame title={whom.isNew ? `Welcome to ${settings.productName}, ${whom.firstname}` : 'Choose a new password'}>
      <p className={styles.notice}>
        {whom.isNew ? 'Choose the password' : 'It is the password'} that you log in with as{' '}
        <strong>{whom.email}</strong>. Nobody else knows it.
        {other !== undefined && other !== whom.email && ` ${other} is signed in here, and will be signed out.`}
      </p>
      <LoginForm
        onSubmit={(event) => {
          event.preventDefault()
          if (!choose.isPending) choose.mutate(form.getValues().newPassword)
        }}
      >
        {/* Only for password managers, which store the new password under this email. */}
        <input type="text" name="username" autoComplete="username" value={whom.email} readOnly hidden />
        <NewPasswordField
          label="New password"
          required
          hint={`At least ${MIN_PASSWORD_LENGTH} characters.${whom.isNew ? '' : ' You are signed out everywhere.'}`}
          problem={problem}
          {...form.getInputProps('newPassword')}
        />
        <Failure text={failure} />
        <Button variant="primary" type="submit" loading={choose.isPending} fullWidth>
          Set password
        </Button>
      </LoginForm>
    </LoginFrame>
  )
}

function LinkOver({ mayBeUsed }: { mayBeUsed: boolean }) {
  return (
    <LoginFrame title="This link does not work any more">
      <p className={styles.notice}>
        {mayBeUsed && 'Your new password may be set, although no response came: try to log in with it first. '}A link to
        choose a password works once, within an hour. Have another one mailed to you, or ask a colleague with access to
        Assign Role.
      </p>
      <div className={styles.form}>
        <Link href={FORGOT_PASSWORD_PATH} className={styles.link}>
          Mail me a new link
        </Link>
        <Link href={LOGIN_PATH} className={styles.link}>
          Back to log in
        </Link>
      </div>
    </LoginFrame>
  )
}
