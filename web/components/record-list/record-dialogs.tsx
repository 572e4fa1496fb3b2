import type { ReactNode } from 'react'
import type { AuditEntity } from '#contract/audit-entities.ts'
import { type CallName, useMay } from '#web/api/may.ts'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, type Dialogs, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconArrowBackUp, IconEye, IconHistory, IconPencil, IconTrash } from '#web/ui/icons/icons.tsx'
import { HistoryDialog, type HistoryOf } from '../history/history-dialog.tsx'
import { restoreRecord } from '../undo.ts'

type ShownDialog<Row> =
  | { kind: 'create' }
  | { kind: 'edit' | 'delete'; record: Row }
  | { kind: 'history'; of: HistoryOf }

/**
 * Returns the dialogs of a list screen to create, edit and delete its records and to show their history, and the row
 * actions that open them. People who may not change the records get 'View' instead of 'Edit', with a read-only form.
 */
export function useRecordDialogs<Row extends { _id: string }>(entity: AuditEntity, toName: (record: Row) => string) {
  const dialogs = useDialogs<ShownDialog<Row>>()
  const may = useMay()
  const mayChange = may.changeRecords(entity)
  const edit = (record: Row) => dialogs.show({ kind: 'edit', record })
  const askToDelete = (record: Row) => dialogs.show({ kind: 'delete', record })
  const toHistoryAction = (record: Row): RowAction => ({
    label: 'History',
    icon: <IconHistory />,
    onSelect: () => dialogs.show({ kind: 'history', of: { entity, id: record._id, name: toName(record) } }),
  })
  return {
    dialogs,
    create: () => dialogs.show({ kind: 'create' }),
    edit,
    askToDelete,
    toHistoryAction,
    toEditAction: (record: Row): RowAction => ({
      ...(mayChange ? { label: 'Edit', icon: <IconPencil /> } : { label: 'View', icon: <IconEye /> }),
      onSelect: () => edit(record),
    }),
    toDeleteAction: (record: Row, call: CallName): RowAction => ({
      label: 'Delete',
      icon: <IconTrash />,
      danger: true,
      hidden: !may.call(call),
      onSelect: () => askToDelete(record),
    }),
    /** Returns everything that can be done to a deleted record. */
    toDeletedActions: (record: Row): RowAction[] => [
      {
        label: 'Restore',
        icon: <IconArrowBackUp />,
        hidden: !may.restoreRecords(entity),
        onSelect: () => void restoreRecord(entity, record._id, toName(record)),
      },
      toHistoryAction(record),
    ],
  }
}

type RecordDialogsProps<Row> = {
  dialogs: Dialogs<ShownDialog<Row>>
  /** Renders the form for a new record, or for the one that is edited. */
  renderForm?: (record: Row | undefined, onClose: () => void) => ReactNode
  renderDeletion?: (record: Row, onClose: () => void) => ReactNode
}

/** Renders the open dialog; place it last in the screen. The list behind it does not render again. */
export function RecordDialogs<Row>({ dialogs, renderForm, renderDeletion }: RecordDialogsProps<Row>) {
  return (
    <DialogOutlet dialogs={dialogs}>
      {(shown) => {
        if (shown.kind === 'history') return <HistoryDialog of={shown.of} onClose={dialogs.close} />
        if (shown.kind === 'delete') return renderDeletion?.(shown.record, dialogs.close)
        return renderForm?.(shown.kind === 'edit' ? shown.record : undefined, dialogs.close)
      }}
    </DialogOutlet>
  )
}
