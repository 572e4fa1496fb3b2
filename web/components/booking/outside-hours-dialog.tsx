import type { ReactNode } from 'react'
import type { ApiResponse } from '#web/api/request-types.ts'
import { OverrideReason, REASON_MISSING } from '#web/components/override-reason.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import styles from './booking.module.css'

type OutsideHoursDialogProps<Data> = {
  title: string
  submitLabel: string
  cancelLabel?: string
  /** The question, and what will follow. */
  children: ReactNode
  /** The server's reasons why the opening hours do not allow it. */
  reasons: readonly { message: string }[]
  save: (overrideReason: string) => Promise<ApiResponse<Data>>
  /** Toast text after saving. */
  success: string
  onClose: () => void
}

/** Asks for the reason to do something outside the opening hours, then does it. */
export function OutsideHoursDialog<Data extends object>(props: OutsideHoursDialogProps<Data>) {
  const { children, reasons, save, success, onClose, ...labels } = props
  const { form, modal } = useFormDialog({
    initialValues: { overrideReason: '' },
    save: ({ overrideReason }) => save(overrideReason),
    success,
    onClose,
  })
  return (
    <FormModal
      {...labels}
      cannotSubmit={form.getValues().overrideReason.trim() === '' ? REASON_MISSING : undefined}
      {...modal}
    >
      <div>{children}</div>
      <p className={styles.refused}>{[...new Set(reasons.map(({ message }) => message))].join(' ')}</p>
      <OverrideReason {...form.getInputProps('overrideReason')} />
    </FormModal>
  )
}
