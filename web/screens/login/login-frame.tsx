import type { ReactNode } from 'react'
import { Logo } from '#web/components/logo.tsx'
import { settings } from '#web/lib/settings.ts'
import { IconAlertCircle } from '#web/ui/icons/icons.tsx'
import { LoginImage } from './login-image.tsx'
import styles from './login-screen.module.css'

/** Around every screen of those who are not signed in. */
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

/** Beneath the fields; said as soon as there is one. */
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
