import type { Closure } from '#contract/closures.ts'
import { useMay } from '#web/api/may.ts'
import { ClosureForm } from '#web/components/closures/closure-form.tsx'
import { toPeriodLines, toPeriodText, toRepeatText, toScopeText } from '#web/components/closures/closure-words.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { ChoiceFilter } from '#web/components/record-list/list-filters.tsx'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { toMomentText, useBusinessDay } from '#web/lib/business-day.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconLockOpen, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { closureList } from './closure-list.ts'

const states = {
  now: { label: 'Closed now', tone: 'orange' },
  upcoming: { label: 'Upcoming', tone: 'blue' },
  over: { label: 'Over', tone: 'grey' },
} as const

/** Returns two lines. Of a closure that somebody ended, they name that end, which may be long before the planned one. */
const toQuestion = ({ location, pods, reason }: Closure) =>
  `End the closure of ${location ? `all of ${location.name}` : toScopeText({ location, pods })} (${reason})?`

function toWhen(closure: Closure): readonly [string, string] {
  const { next, endedAt, repeats } = closure
  if (!endedAt) return toPeriodLines(next ?? closure, repeats)
  const [begun] = toPeriodLines({ ...closure, ends: null }, repeats)
  return [begun, `Ended ${toMomentText(endedAt)}`]
}

const columns: readonly Column<Closure>[] = [
  {
    key: 'scope',
    header: 'What is closed',
    minWidth: 146,
    wraps: true,
    text: toScopeText,
    phone: 'title',
  },
  { key: 'reason', header: 'Reason', minWidth: 136, wraps: true, text: ({ reason }) => reason, phone: 'line' },
  {
    key: 'next',
    header: 'When',
    width: 230,
    render: (closure) => {
      const [first, second] = toWhen(closure)
      return <TwoLines first={first} second={second} secondWraps />
    },
    text: (closure) =>
      closure.endedAt
        ? toWhen(closure).join(', ')
        : `${toPeriodText(closure.next ?? closure)}, ${toRepeatText(closure.repeats)}`,
  },
  { key: 'by', header: 'By', width: 150, wraps: true, text: ({ createdBy }) => createdBy || 'N/A', hideOnPhone: true },
  statusColumn<Closure>({
    width: 130,
    tone: ({ state }) => states[state].tone,
    words: ({ state }) => states[state].label,
  }),
]

const stateOptions = [
  { value: '', label: 'All statuses' },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
]

/** The closures; access to page 3 includes them (rules §26.5). */
export function ClosuresScreen() {
  const list = useRecordList(closureList)
  const records = useRecordDialogs<Closure>('closure', toScopeText)
  const { dialogs, create } = records
  const mayChange = useMay().changeRecords('closure')
  const today = useBusinessDay()

  const rowActions = (closure: Closure): RowAction[] => {
    const isOver = closure.state === 'over'
    const unavailable = isOver
      ? 'This closure is over'
      : closure.hasOtherPods && 'It closes pods of other locations too: ask a colleague who has all locations'
    const change = mayChange && unavailable ? { unavailable } : {}
    const end = () => records.askToDelete(closure)
    return [
      { ...records.toEditAction(closure), ...change },
      records.toHistoryAction(closure),
      { label: 'End now', icon: <IconLockOpen />, hidden: !mayChange, onSelect: end, ...change },
    ]
  }

  return (
    <>
      <PageHeader
        title="Closures"
        count={toListCount('All Closures', list.total, list.narrowed)}
        action={
          mayChange && (
            <Button variant="primary" icon={<IconPlus size={16} />} onClick={create}>
              Close Pods
            </Button>
          )
        }
      />
      <FilterBar setCount={list.state.setCount} onClear={list.state.clear}>
        <ChoiceFilter state={list.state} name="state" label="Status" options={stateOptions} />
        <LocationFilter value={list.state.values.location} onChange={(location) => list.state.setUrl({ location })} />
      </FilterBar>
      <RecordTable
        key={today}
        list={list}
        label="Closures"
        columns={columns}
        rowName={toScopeText}
        rowActions={rowActions}
        noMatch="No closure matches these filters."
        noneYet={
          <EmptyState
            action={
              mayChange && (
                <Button icon={<IconPlus size={16} />} onClick={create}>
                  Close pods
                </Button>
              )
            }
          >
            Periods in which pods cannot be used appear here.
          </EmptyState>
        }
      />
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(closure, onClose) => <ClosureForm closure={closure} onClose={onClose} />}
        renderDeletion={(closure, onClose) => (
          <DeleteDialog
            domain="closures"
            id={closure._id}
            version={closure.version}
            title="End closure"
            confirmLabel="End now"
            danger={false}
            consequence="From now on, it prevents no more bookings."
            onClose={onClose}
          >
            {toQuestion(closure)}
          </DeleteDialog>
        )}
      />
    </>
  )
}
