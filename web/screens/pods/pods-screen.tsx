import type { Pod } from '#contract/pods.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { BlockDialog } from '#web/components/closures/block-dialog.tsx'
import { ClosedNote } from '#web/components/closures/closed-note.tsx'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { OpeningHoursDialog } from '#web/components/opening-hours/opening-hours-dialog.tsx'
import { PodCover } from '#web/components/pod-cover.tsx'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { BlockedFilter, ChoiceFilter, ListFilters, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { blockedColumn, idColumn, toDeletedColumns } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { seatOptions } from '#web/components/seat-options.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconClock, IconCopy, IconDownload, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { PodForm } from './pod-form.tsx'
import { closedOptions, podList, sortOptions } from './pod-list.ts'
import styles from './pods.module.css'

/** Columns of the table, except the operations (rules §5.8). */
const columns: readonly Column<Pod>[] = [
  {
    key: 'image',
    header: 'Image',
    width: 148,
    skeleton: (
      <div className={styles.image}>
        <div className={styles.waiting}>
          <Skeleton height="100%" />
        </div>
      </div>
    ),
    render: (pod) => (
      <div className={styles.image}>
        <PodCover pod={pod} />
      </div>
    ),
    phone: 'media',
  },
  idColumn('Pod Id'),
  {
    key: 'title',
    header: 'Title',
    minWidth: 150,
    wraps: true,
    render: (pod) => <span className={styles.title}>{pod.title}</span>,
    text: (pod) => pod.title,
    sortable: true,
    phone: 'title',
  },
  {
    key: 'location',
    header: 'Location',
    minWidth: 175,
    render: ({ location, closure }) => (
      <div className={closure ? styles.closed : undefined}>
        <TwoLines first={location.name} second={toCityText(location)} bothWrap />
        <ClosedNote closure={closure} />
      </div>
    ),
    text: ({ location }) => `${location.name}, ${toCityText(location)}`,
    phone: 'line',
  },
  {
    key: 'capacity',
    header: 'Seats',
    width: 72,
    align: 'end',
    text: ({ capacity }) => (capacity === null ? 'N/A' : String(capacity)),
  },
  blockedColumn('active'),
]

const deletedColumns = toDeletedColumns(columns)

function toCityText({ city, state }: Pod['location']): string {
  return `${city}, ${state}`
}

function toTitle({ title }: Pod): string {
  return title
}

/** Screen of page 3 (rules §5.8). */
export function PodsScreen() {
  useDocumentTitle('Pods')
  const list = useRecordList(podList)
  const { state } = list
  const { toBlockAction } = useBlockToggle('pods')
  const records = useRecordDialogs('pod', toTitle)
  const { dialogs, create, toEditAction, toHistoryAction, toDeleteAction } = records
  const hours = useDialogs<string>()
  const blocking = useDialogs<Pod>()
  const copying = useDialogs<Pod>()
  const may = useMay()
  const toAskedBlockAction = (pod: Pod): RowAction => {
    const action = toBlockAction(pod)
    return pod.isBlocked ? action : { ...action, onSelect: () => blocking.show(pod) }
  }
  const isDeleted = state.values.status === 'deleted'
  const toHoursAction = ({ _id }: Pod): RowAction => ({
    label: 'Opening hours',
    icon: <IconClock />,
    seldom: true,
    onSelect: () => hours.show(_id),
  })
  const toCopyAction = (pod: Pod): RowAction => ({
    label: 'Duplicate',
    icon: <IconCopy />,
    seldom: true,
    hidden: !may.call('pods.create'),
    onSelect: () => copying.show(pod),
  })
  const createButton = (
    <CallButton call="pods.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
      Create Pods
    </CallButton>
  )

  return (
    <>
      <PageHeader
        title={(!state.isFiltered && toListCount('All Pods', list.total)) || 'All Pods'}
        count={state.isFiltered ? toListCount('All Pods', list.total, list.narrowed) : undefined}
        action={createButton}
        secondaryActions={
          <Button icon={<IconDownload size={16} />} onClick={() => list.download('export')}>
            All Downloads
          </Button>
        }
      />
      <ListFilters state={state} label="Search pods" placeholder="Search by title, location, seats or id">
        <BlockedFilter state={state} />
        <LocationFilter value={state.values.location} onChange={(location) => state.setUrl({ location })} />
        <ChoiceFilter state={state} name="closed" label="Closures" options={closedOptions} />
        <ChoiceFilter state={state} name="minCapacity" label="Seats" options={seatOptions} />
        <ChoiceFilter state={state} name="sort" label="Sort" options={sortOptions} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Pods"
        columns={isDeleted ? deletedColumns : columns}
        rowName={toTitle}
        rowActions={(pod) =>
          isDeleted
            ? records.toDeletedActions(pod)
            : [
                toAskedBlockAction(pod),
                toEditAction(pod),
                toHoursAction(pod),
                toCopyAction(pod),
                toHistoryAction(pod),
                toDeleteAction(pod, 'pods.delete'),
              ]
        }
        noMatch={isDeleted ? toNoDeletedText('pods') : 'No pod matches these filters.'}
        noneYet={
          <EmptyState
            action={
              <CallButton call="pods.create" icon={<IconPlus size={16} />} onClick={create}>
                Create the first pod
              </CallButton>
            }
          >
            Pods appear here once the first one is created. Each needs a location and a feature: add these first.
          </EmptyState>
        }
      />
      <DialogOutlet dialogs={hours}>
        {(id) => <OpeningHoursDialog owner="pod" id={id} onClose={hours.close} />}
      </DialogOutlet>
      <DialogOutlet dialogs={blocking}>
        {({ _id, title, location }) => (
          <BlockDialog
            of={{ entity: 'pod', id: _id, name: title, location: `${location.name}, ${location.city}` }}
            onClose={blocking.close}
          />
        )}
      </DialogOutlet>
      <DialogOutlet dialogs={copying}>
        {(pod) => <PodForm pod={undefined} copied={pod} onClose={copying.close} />}
      </DialogOutlet>
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(pod, onClose) => <PodForm pod={pod} onClose={onClose} />}
        renderDeletion={(pod, onClose) => (
          <DeleteDialog
            domain="pods"
            id={pod._id}
            title="Delete pod"
            consequence="It leaves every list and can no longer be booked. Bookings and transactions that it already has stay, and keep its name."
            onClose={onClose}
          >
            Are you sure you want to delete {pod.title}, {pod.location.name}?
          </DeleteDialog>
        )}
      />
    </>
  )
}
