import type { LiveEntity } from '#contract/audit-entities.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { useFormDialog } from './use-form-dialog.ts'

type Noted = { _id: string; note: string; version: number }

type NoteDialogProps<Data> = {
  entity: LiveEntity
  record: Noted
  save: (note: string, version: number) => Promise<ApiResponse<Data>>
  onClose: () => void
}

/** Edits the note that staff keep on a customer or a booking. */
export function NoteDialog<Data extends object>({ entity, record, save, onClose }: NoteDialogProps<Data>) {
  const { form, modal } = useFormDialog({
    initialValues: { note: record.note },
    edits: { entity, id: record._id },
    edited: { record, toValues: ({ note }: Noted) => ({ note }), labels: { note: 'Note' } },
    save: ({ note }, version = record.version) => save(note, version),
    success: 'Note saved',
    onClose,
  })
  return (
    <FormModal title="Note" submitLabel="Save" {...modal}>
      <TextAreaField
        label="Note"
        hint="For colleagues; the customer does not see it."
        rows={6}
        {...form.getInputProps('note')}
      />
    </FormModal>
  )
}
