import type { ComponentProps, ReactNode, SubmitEvent } from 'react'
import { signOut } from '#web/api/sign-in.ts'
import { Logo } from '#web/components/logo.tsx'
import { settings } from '#web/lib/settings.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { IconAlertCircle } from '#web/ui/icons/icons.tsx'
import { LoginImage } from './login-image.tsx'
import styles from './login-screen.module.css'

/** The frame around every screen of people who are not signed in. */
export function LoginFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.screen}>
      <div className={styles.side}>
        <div className={styles.panel}>
          <Logo productName={settings.productName} />
          <h1 className={styles.title}>{title}</h1>
          {children}
        </div>
      </div>
      <LoginImage />
    </main>
  )
}

type LoginFormProps = { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void; children: ReactNode }

/** A form without the browser's validation: the fields show their own errors. */
export function LoginForm({ onSubmit, children }: LoginFormProps) {
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
    </form>
  )
}

/** The email address of the account; the first field of its screen. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Email Address"
      type="email"
      name="email"
      autoComplete="username"
      inputMode="email"
      spellCheck={false}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- this form is all there is on the screen
      autoFocus
      {...props}
    />
  )
}

/** An error below the fields, announced by screen readers when it appears. */
export function Failure({ text }: { text: string | undefined }) {
  return (
    <p className={styles.failure} role="alert">
      {text !== undefined && (
        <>
          <IconAlertCircle size={16} />
          <span>{text}</span>
        </>
      )}
    </p>
  )
}

/** For those who have to set something up first, and would rather not. */
export function SignOut() {
  return (
    <button type="button" className={styles.link} onClick={() => void signOut()}>
      Sign out
    </button>
  )
}
