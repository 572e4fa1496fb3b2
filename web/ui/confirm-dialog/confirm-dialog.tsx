import { type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { IconTrash } from '../icons/icons.tsx'
import { type Problem, toProblem } from '../problem.ts'
import { ErrorSummary } from '../state-messages/state-messages.tsx'
import styles from './confirm-dialog.module.css'

type ConfirmDialogProps = {
  title: string
  /** The question. */
  children: ReactNode
  /** A sentence on what will follow. */
  consequence?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  danger?: boolean
  icon?: ReactNode
  /** The dialog waits for it, then closes. If it throws, the dialog stays open and says why. */
  onConfirm: () => unknown
  onClose: () => void
}

/** Asks before something is done. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    consequence,
    confirmLabel,
    cancelLabel = 'Cancel',
    danger = false,
    onConfirm,
    onClose,
  } = props
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function confirm() {
    setPending(true)
    setProblem(null)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(toProblem(error))
      setPending(false)
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      held={pending}
      compact
      role="alertdialog"
      footer={
        <>
          <Button onClick={onClose} disabled={pending} data-autofocus>
            {cancelLabel}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            icon={props.icon ?? (danger && <IconTrash size={16} />)}
            loading={pending}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.words}>
        <div>{children}</div>
        {consequence && <p className={styles.consequence}>{consequence}</p>}
        {problem && <ErrorSummary problem={problem} />}
      </div>
    </Dialog>
  )
}

/** A message to read and close. */
export function MessageDialog(props: { title: string; children: ReactNode; onClose: () => void }) {
  const { title, children, onClose } = props
  return (
    <Dialog
      title={title}
      onClose={onClose}
      compact
      role="alertdialog"
      footer={
        <Button variant="primary" onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      <div className={styles.words}>{children}</div>
    </Dialog>
  )
}
