import { type ReactNode, type SubmitEvent, useId } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog, type DialogWidth } from '../dialog/dialog.tsx'
import type { Problem } from '../problem.ts'
import { ErrorSummary } from '../state-messages/state-messages.tsx'
import { askToDiscard, useUnsaved } from '../unsaved.ts'
import styles from './form-modal.module.css'

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
  const close = () => {
    if (pending) return
    if (dirty) void askToDiscard()
    else onClose()
  }
  useUnsaved(dirty, onClose)

  return (
    <Dialog
      title={title}
      width={width}
      onClose={close}
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
