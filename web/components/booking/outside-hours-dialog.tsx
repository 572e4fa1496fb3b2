import type { ReactNode } from 'react'
import type { ApiResponse } from '#web/api/request-types.ts'
import { OverrideReason } from '#web/components/override-reason.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import styles from './booking.module.css'

type OutsideHoursDialogProps<Data> = {
  title: string
  submitLabel: string
  cancelLabel?: string
  /** What is asked, and what will follow. */
  children: ReactNode
  /** What the server says of the hours. */
  reasons: readonly { message: string }[]
  save: (overrideReason: string) => Promise<ApiResponse<Data>>
  /** Said once it is saved. */
  success: string
  onClose: () => void
}

/** Asks why something is to be outside the opening hours, and does it then. */
export function OutsideHoursDialog<Data extends object>(props: OutsideHoursDialogProps<Data>) {
  const { title, submitLabel, cancelLabel = 'Cancel', children, reasons, save, success, onClose } = props
  const { form, modal } = useFormDialog({
    initialValues: { overrideReason: '' },
    save: ({ overrideReason }) => save(overrideReason),
    success,
    onClose,
  })
  return (
    <FormModal
      title={title}
      width={500}
      submitLabel={submitLabel}
      cancelLabel={cancelLabel}
      submitDisabled={form.getValues().overrideReason.trim() === ''}
      {...modal}
    >
      <div>{children}</div>
      <p className={styles.refused}>{[...new Set(reasons.map(({ message }) => message))].join(' ')}</p>
      <OverrideReason {...form.getInputProps('overrideReason')} />
    </FormModal>
  )
}
