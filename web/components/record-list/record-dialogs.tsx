import type { ReactNode } from 'react'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, type Dialogs, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconPencil, IconTrash } from '#web/ui/icons/icons.tsx'

type ShownDialog<Row> = { kind: 'create' } | { kind: 'edit' | 'delete'; record: Row }

/** What a list screen opens to create, edit and delete its records. */
export function useRecordDialogs<Row>() {
  const dialogs = useDialogs<ShownDialog<Row>>()
  const edit = (record: Row) => dialogs.show({ kind: 'edit', record })
  const askToDelete = (record: Row) => dialogs.show({ kind: 'delete', record })
  return {
    dialogs,
    create: () => dialogs.show({ kind: 'create' }),
    edit,
    askToDelete,
    toEditAction: (record: Row): RowAction => ({ label: 'Edit', icon: <IconPencil />, onSelect: () => edit(record) }),
    toDeleteAction: (record: Row): RowAction => ({
      label: 'Delete',
      icon: <IconTrash />,
      danger: true,
      onSelect: () => askToDelete(record),
    }),
  }
}

type RecordDialogsProps<Row> = {
  dialogs: Dialogs<ShownDialog<Row>>
  /** Of a new record, or of the one that is edited. */
  renderForm?: (record: Row | undefined, onClose: () => void) => ReactNode
  renderDeletion: (record: Row, onClose: () => void) => ReactNode
}

/** Last in the screen; the list behind is not drawn anew. */
export function RecordDialogs<Row>({ dialogs, renderForm, renderDeletion }: RecordDialogsProps<Row>) {
  return (
    <DialogOutlet dialogs={dialogs}>
      {(shown) => {
        if (shown.kind === 'delete') return renderDeletion(shown.record, dialogs.close)
        return renderForm?.(shown.kind === 'edit' ? shown.record : undefined, dialogs.close)
      }}
    </DialogOutlet>
  )
}
