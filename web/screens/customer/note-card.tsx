import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customer } from '#contract/users.ts'
import { submit } from '#web/api/check-body.ts'
import { NoteDialog } from '#web/components/note-dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { IconPencil } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import styles from './customer.module.css'

type NoteCardProps = { customer: Customer; mayEdit: boolean }

/** The staff's note about the customer. */
export function NoteCard({ customer, mayEdit }: NoteCardProps) {
  const [isEdited, setEdited] = useState(false)
  const queryClient = useQueryClient()
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
        {customer.note || 'There is no note about this customer.'}
      </p>
      {isEdited && (
        <NoteDialog
          entity="customer"
          record={customer}
          save={async (note, version) => {
            const response = await submit('users', 'setNote', { params: { id: customer._id }, version, body: { note } })
            await queryClient.invalidateQueries({ queryKey: ['users'] })
            return response
          }}
          onClose={() => setEdited(false)}
        />
      )}
    </Panel>
  )
}
