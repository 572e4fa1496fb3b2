import type { ReactNode } from 'react'
import { useKeepOnScreen } from '#web/lib/keep-on-screen.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyText } from '#web/ui/copy-text/copy-text.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import styles from './shown-once.module.css'

type ShownOnceProps = {
  /** The name of the secret, such as 'Signing secret'. */
  label: string
  text: string
  onClose: () => void
  /** What to do with the secret. */
  children: ReactNode
}

/** Shows a new secret, which is never shown again; only the button closes it. */
export function ShownOnce({ label, text, onClose, children }: ShownOnceProps) {
  useKeepOnScreen()
  return (
    <Dialog
      title={label}
      width={500}
      compact
      held
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className={styles.use}>{children} It is shown only now.</p>
      <CopyText label={label} text={text} />
    </Dialog>
  )
}
