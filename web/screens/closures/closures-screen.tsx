import { useQueryClient } from '@tanstack/react-query'
import type { Closure } from '#contract/closures.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { ClosureForm } from '#web/components/closures/closure-form.tsx'
import { toPeriodLines, toPeriodText, toRepeatText, toScopeText } from '#web/components/closures/closure-words.ts'
import { HistoryDialog } from '#web/components/history/history-dialog.tsx'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { orReload } from '#web/components/record-conflict.ts'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { ChoiceFilter } from '#web/components/record-list/list-filters.tsx'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { showChanged } from '#web/components/undo.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconEye, IconHistory, IconLockOpen, IconPencil, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { closureList } from './closure-list.ts'

const states = {
  now: { label: 'Closed now', tone: 'orange' },
  upcoming: { label: 'Upcoming', tone: 'blue' },
  over: { label: 'Over', tone: 'grey' },
} as const

const columns: readonly Column<Closure>[] = [
  {
    key: 'scope',
    header: 'What is closed',
    minWidth: 180,
    wraps: true,
    text: toScopeText,
    phone: 'title',
  },
  { key: 'reason', header: 'Reason', minWidth: 160, wraps: true, text: ({ reason }) => reason, phone: 'line' },
  {
    key: 'next',
    header: 'When',
    minWidth: 240,
    render: (closure) => {
      const [first, second] = toPeriodLines(closure.next ?? closure, closure.repeats)
      return <TwoLines first={first} second={second} />
    },
    text: (closure) => `${toPeriodText(closure.next ?? closure)}, ${toRepeatText(closure.repeats)}`,
  },
  { key: 'by', header: 'By', width: 150, wraps: true, text: ({ createdBy }) => createdBy || 'N/A', hideOnPhone: true },
  statusColumn<Closure>({
    width: 130,
    tone: ({ state }) => states[state].tone,
    words: ({ state }) => states[state].label,
  }),
]

const stateOptions = [
  { value: '', label: 'Any status' },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
]

type Shown = { kind: 'form'; closure: Closure | undefined } | { kind: 'end' | 'history'; closure: Closure }

/** The closures; access to page 3 includes them (rules §26.5). */
export function ClosuresScreen() {
  const list = useRecordList(closureList)
  const dialogs = useDialogs<Shown>()
  const mayChange = useMay().changeRecords('closure')
  const queryClient = useQueryClient()
  const create = () => dialogs.show({ kind: 'form', closure: undefined })

  async function end(closure: Closure) {
    const { _id, version } = closure
    const reload = () => queryClient.invalidateQueries({ queryKey: ['closures'] })
    const response = await orReload(api('closures', 'delete', { params: { id: _id }, version }), reload)
    showChanged(response.data.message, response)
    await reload()
  }

  const rowActions = (closure: Closure): RowAction[] => {
    const isOver = closure.state === 'over'
    const unavailable = isOver
      ? 'This closure is over'
      : closure.hasOtherPods && 'It closes pods of other locations too: ask a colleague who has all locations'
    const change = { hidden: !mayChange, ...(unavailable && { unavailable }) }
    const show = (kind: 'form' | 'history' | 'end') => () => dialogs.show({ kind, closure })
    return [
      { label: 'View', icon: <IconEye />, onSelect: show('form'), hidden: mayChange },
      { label: 'Edit', icon: <IconPencil />, onSelect: show('form'), ...change },
      { label: 'History', icon: <IconHistory />, onSelect: show('history') },
      { label: 'End now', icon: <IconLockOpen />, onSelect: show('end'), ...change },
    ]
  }

  const createButton = (
    <CallButton call="closures.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
      Close Pods
    </CallButton>
  )

  return (
    <>
      <PageHeader
        title="Closures"
        count={toListCount('All Closures', list.total, list.narrowed)}
        action={createButton}
      />
      <FilterBar setCount={list.state.setCount} onClear={list.state.clear}>
        <ChoiceFilter state={list.state} name="state" label="Status" options={stateOptions} />
        <LocationFilter value={list.state.values.location} onChange={(location) => list.state.setUrl({ location })} />
      </FilterBar>
      <RecordTable
        list={list}
        label="Closures"
        columns={columns}
        rowName={toScopeText}
        rowActions={rowActions}
        noMatch="No closure matches these filters."
        noneYet={
          <EmptyState
            action={
              <CallButton call="closures.create" icon={<IconPlus size={16} />} onClick={create}>
                Close pods
              </CallButton>
            }
          >
            Periods in which pods cannot be used appear here.
          </EmptyState>
        }
      />
      <DialogOutlet dialogs={dialogs}>
        {(shown) =>
          shown.kind === 'form' ? (
            <ClosureForm closure={shown.closure} onClose={dialogs.close} />
          ) : shown.kind === 'history' ? (
            <HistoryDialog
              of={{ entity: 'closure', id: shown.closure._id, name: toScopeText(shown.closure) }}
              onClose={dialogs.close}
            />
          ) : (
            <ConfirmDialog
              title="End closure"
              confirmLabel="End now"
              consequence="It can be booked again from now on."
              onConfirm={() => end(shown.closure)}
              onClose={dialogs.close}
            >
              End the closure of {toScopeText(shown.closure)} ({shown.closure.reason})?
            </ConfirmDialog>
          )
        }
      </DialogOutlet>
    </>
  )
}
