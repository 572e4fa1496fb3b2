import { type ReactNode, type SubmitEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useDelayed } from '#web/lib/delayed.ts'
import { Button } from '../button/button.tsx'
import { CompareFields, type CompareFieldsProps } from '../compare-fields/compare-fields.tsx'
import { Dialog, type DialogWidth } from '../dialog/dialog.tsx'
import type { Problem } from '../problem.ts'
import { ErrorSummary } from '../state-messages/state-messages.tsx'
import { askToDiscard, useUnsaved } from '../unsaved.ts'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './form-modal.module.css'

type FormModalProps = {
  title: string
  width?: DialogWidth
  children: ReactNode
  submitLabel: string
  cancelLabel?: string
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  onClose: () => void
  pending?: boolean
  /** Lets the fields be changed while `pending`: what is sent is read from them later. */
  isOpenWhilePending?: boolean
  /** `form.isDirty()`; if true, closing asks first. */
  dirty?: boolean
  /** Why the form cannot be submitted yet, as a sentence. Shown as the button's tooltip. */
  cannotSubmit?: string | undefined
  /** For a form that removes something: makes the submit button red, with this icon. */
  dangerIcon?: ReactNode
  /** Shows the form without letting anything be changed. */
  readOnly?: boolean
  /** A notice above the fields. */
  notice?: string | undefined
  /** What is being done, when it takes long; shown with an indeterminate progress bar. */
  progress?: string | undefined
  /** An error that belongs to no field. */
  problem?: Problem | null | undefined
  /** The error of the last attempt to save. When it changes, the first field with an error gets the focus. */
  failure?: Error | null
  /** Shown instead of the fields, which keep what was typed. Another version of the record is announced anew. */
  comparison?: (CompareFieldsProps & { version: number }) | undefined
}

/** A form in a dialog. It asks before anything that was typed is lost. */
export function FormModal(props: FormModalProps) {
  const { title, width = 500, children, submitLabel, cancelLabel = 'Cancel', onSubmit, onClose } = props
  const {
    pending = false,
    isOpenWhilePending = false,
    dirty = false,
    cannotSubmit,
    dangerIcon,
    readOnly = false,
    problem,
    failure,
    notice,
    progress,
    comparison,
  } = props
  const formId = useId()
  const reasonId = useId()
  const form = useRef<HTMLFormElement>(null)
  const fields = useRef<HTMLFieldSetElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const close = () => {
    if (dirty) void askToDiscard()
    else onClose()
  }
  useUnsaved(dirty, onClose)

  // What is typed while it is being sent would be lost when the dialog closes. Fields that are only checked keep the focus.
  const isHeld = useDelayed(pending && !isOpenWhilePending)
  useLayoutEffect(() => {
    if (isHeld && fields.current?.contains(document.activeElement)) submit.current?.focus()
  }, [isHeld])

  // By now the field errors are rendered, together with the failure or before it.
  useEffect(() => {
    if (failure) focusFirstError(form.current)
  }, [failure])

  return (
    <Dialog
      title={title}
      width={width}
      held={pending}
      onClose={close}
      footer={
        readOnly ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <>
            {cannotSubmit !== undefined && <VisuallyHidden id={reasonId}>{cannotSubmit}</VisuallyHidden>}
            <Button onClick={close} disabled={pending}>
              {cancelLabel}
            </Button>
            <Button
              variant={dangerIcon ? 'danger' : 'primary'}
              icon={dangerIcon}
              ref={submit}
              type="submit"
              form={formId}
              loading={pending}
              aria-disabled={cannotSubmit !== undefined || undefined}
              aria-describedby={cannotSubmit === undefined ? undefined : reasonId}
              data-tooltip={cannotSubmit}
            >
              {submitLabel}
            </Button>
          </>
        )
      }
    >
      <form
        ref={form}
        id={formId}
        className={styles.form}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and none of its fields takes the focus
        tabIndex={readOnly ? 0 : undefined}
        aria-label={readOnly ? title : undefined}
        onSubmit={(event) => {
          if (cannotSubmit !== undefined) {
            event.preventDefault()
            // Whose tooltip and description say why, also to whoever pressed Enter in a field.
            event.nativeEvent.submitter?.focus()
            return
          }
          onSubmit(event)
          // Errors that the form itself found are rendered with the next frame.
          requestAnimationFrame(() => focusFirstError(form.current))
        }}
        noValidate
      >
        <output className={styles.notice}>{notice}</output>
        {progress !== undefined && (
          <div className={styles.progress}>
            <progress aria-label={progress} />
            <output>{progress}</output>
          </div>
        )}
        {problem && <ErrorSummary problem={problem} />}
        {comparison && <CompareFields key={comparison.version} {...comparison} />}
        <fieldset
          ref={fields}
          className={styles.form}
          hidden={comparison !== undefined}
          disabled={readOnly}
          inert={isHeld}
        >
          {children}
        </fieldset>
      </form>
    </Dialog>
  )
}

/** Focuses the first field in error; in a file drop, its first button; in a group, its first input. */
export function focusFirstError(form: HTMLFormElement | null) {
  form
    ?.querySelector<HTMLElement>(
      ':is(input, textarea, select, button)[aria-invalid=true], button[data-error], fieldset > [data-error] button, fieldset:is([aria-invalid=true], [data-error]) input:enabled',
    )
    ?.focus()
}

/** Two fields side by side; one under the other on a phone. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
