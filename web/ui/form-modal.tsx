import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog, type DialogWidth } from './dialog.tsx'
import styles from './form-modal.module.css'
import type { Problem } from './problem.ts'
import { ErrorSummary } from './state-messages.tsx'

type FormModalProps = {
  title: string
  width?: DialogWidth
  children: ReactNode
  submitLabel: string
  cancelLabel?: string
  /** `form.onSubmit(save)` of form.ts. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  onClose: () => void
  pending?: boolean
  /** `form.isDirty()`: then closing asks first. */
  dirty?: boolean
  submitDisabled?: boolean
  /** What the server refused, when it belongs to no field. */
  problem?: Problem | null | undefined
}

/** A form in a dialog. Nothing that was typed is lost without a question. */
export function FormModal(props: FormModalProps) {
  const { title, width = 500, children, submitLabel, cancelLabel = 'Cancel', onSubmit, onClose } = props
  const { pending = false, dirty = false, submitDisabled = false, problem } = props
  const formId = useId()
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (pending) return
    if (dirty) setAsking(true)
    else onClose()
  }

  // Leaving the page loses the form as surely as closing the dialog does.
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [dirty])

  return (
    <>
      <Dialog
        title={title}
        width={width}
        onClose={close}
        held={asking}
        footer={
          <>
            <Button onClick={close} disabled={pending}>
              {cancelLabel}
            </Button>
            <Button variant="primary" type="submit" form={formId} loading={pending} disabled={submitDisabled}>
              {submitLabel}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          className={styles.form}
          onSubmit={(event) => {
            onSubmit(event)
            focusFirstProblem(event.currentTarget)
          }}
          noValidate
        >
          {problem && <ErrorSummary problem={problem} />}
          {children}
        </form>
      </Dialog>
      {asking && (
        <ConfirmDialog
          title="Discard changes?"
          confirmLabel="Discard"
          cancelLabel="Keep editing"
          danger
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        >
          What you typed here has not been saved.
        </ConfirmDialog>
      )}
    </>
  )
}

/** What was refused is marked once it is drawn; the first such field is where to go on. */
function focusFirstProblem(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** Two fields side by side; one under the other on a phone. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
