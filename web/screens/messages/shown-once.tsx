import type { ReactNode } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { CopyText } from '#web/ui/copy-text/copy-text.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import styles from './shown-once.module.css'

type ShownOnceProps = {
  /** What it is: 'Signing secret'. */
  label: string
  text: string
  onClose: () => void
  /** What to do with it. */
  children: ReactNode
}

/** A secret just made, which nobody is shown again. */
export function ShownOnce({ label, text, onClose, children }: ShownOnceProps) {
  return (
    <Dialog
      title={label}
      width={500}
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
