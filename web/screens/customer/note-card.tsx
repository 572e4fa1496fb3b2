import { useState } from 'react'
import type { Customer } from '#contract/users.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconPencil } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import styles from './customer.module.css'

type NoteCardProps = { customer: Customer; mayEdit: boolean }

/** What staff keep in mind about the customer. */
export function NoteCard({ customer, mayEdit }: NoteCardProps) {
  const [isEdited, setEdited] = useState(false)
  return (
    <Panel
      title="Note"
      action={
        mayEdit && (
          <Button size="small" icon={<IconPencil size={14} />} onClick={() => setEdited(true)}>
            {customer.note ? 'Edit note' : 'Add note'}
          </Button>
        )
      }
    >
      <p className={styles.note} data-empty={!customer.note || undefined}>
        {customer.note || 'Nothing is noted about this customer.'}
      </p>
      {isEdited && <NoteDialog customer={customer} onClose={() => setEdited(false)} />}
    </Panel>
  )
}

function NoteDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: { note: customer.note },
    edits: { entity: 'customer', id: customer._id },
    edited: { record: customer, toValues: ({ note }: Customer) => ({ note }), labels: { note: 'Note' } },
    save: ({ note }, version) => submit('users', 'setNote', { params: { id: customer._id }, version, body: { note } }),
    domain: 'users',
    onClose,
  })
  return (
    <FormModal title="Note" width={500} submitLabel="Save" {...modal}>
      <TextAreaField
        label="Note"
        hint="For colleagues; the customer does not see it."
        rows={6}
        maxLength={2000}
        {...form.getInputProps('note')}
      />
    </FormModal>
  )
}
