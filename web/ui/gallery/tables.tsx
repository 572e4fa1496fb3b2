import { useState } from 'react'
import { toMoved } from '#web/lib/moved.ts'
import { CopyId } from '../copy-id/copy-id.tsx'
import type { Column, RowAction, Sort } from '../data-table/data-table-columns.ts'
import { DataTable } from '../data-table/data-table.tsx'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import { IconLock, IconPencil, IconTrash } from '../icons/icons.tsx'
import { Image } from '../image/image.tsx'
import { NativeSelect } from '../native-select/native-select.tsx'
import { Pager } from '../pager/pager.tsx'
import { Panel } from '../panel/panel.tsx'
import { DragHandle, SortableList, SortableRow } from '../sortable-list/sortable-list.tsx'
import { EmptyState } from '../state-messages/state-messages.tsx'
import { StatusChip } from '../status-chip/status-chip.tsx'

type Place = { id: string; title: string; place: string; amount: number; date: string; active: boolean }

const places: Place[] = Array.from({ length: 6 }, (_, index) => ({
  id: `0193a4e2-77b1-7c1d-a8cd-2f6f0cde90a${index}`,
  title:
    index === 2
      ? 'The longest name of a pod that anybody has ever typed into a form, Sea Point Promenade, second floor left'
      : (['Seaside', 'Harbour', 'Garden', 'Signal Hill', 'Foreshore', 'Kloof'][index] ?? 'Pod'),
  place: index === 2 ? 'Llanfairpwllgwyngyllgogerychwyrndrobwll, Western Cape' : 'Cape Town, Western Cape',
  amount: 1234.5 * (index + 1),
  date: `2026-11-${String(21 - index)}`,
  active: index % 3 !== 1,
}))

const money = new Intl.NumberFormat('en-ZA', { style: 'currency', currency: 'ZAR' })

const columns: Column<Place>[] = [
  {
    key: 'image',
    header: 'Image',
    width: 84,
    render: () => <Image src={undefined} alt="" width={44} />,
    phone: 'media',
  },
  { key: 'id', header: 'Pod Id', width: 148, render: (row) => <CopyId id={row.id} />, hideOnPhone: true },
  { key: 'title', header: 'Title', text: (row) => row.title, minWidth: 160, sortable: true },
  { key: 'place', header: 'Location', text: (row) => row.place, minWidth: 160 },
  { key: 'date', header: 'Created', width: 124, text: (row) => row.date, sortable: true },
  { key: 'amount', header: 'Amount', width: 132, align: 'end', text: (row) => money.format(row.amount) },
  {
    key: 'status',
    header: 'Status',
    width: 120,
    phone: 'aside',
    render: (row) => <StatusChip tone={row.active ? 'green' : 'red'}>{row.active ? 'active' : 'Inactive'}</StatusChip>,
  },
]

const featureColumns: Column<Place>[] = [
  { key: 'order', header: 'Order', width: 76, render: (row) => <DragHandle name={row.title} />, hideOnPhone: true },
  { key: 'title', header: 'Name', text: (row) => row.title },
]

const nothing = () => {}
const rowActions = (): RowAction[] => [
  { label: 'Block', icon: <IconLock />, onSelect: nothing },
  { label: 'Edit', icon: <IconPencil />, onSelect: nothing },
  { label: 'Delete', icon: <IconTrash />, onSelect: nothing, danger: true },
]
const rowKey = (row: Place) => row.id
const rowName = (row: Place) => row.title

function FullTable() {
  const [sort, setSort] = useState<Sort>({ key: 'date', direction: 'desc' })
  const [page, setPage] = useState(7)
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState('')
  return (
    <div>
      <FilterBar search={{ label: 'Search pods', value: search, onChange: setSearch }} setCount={status ? 1 : 0}>
        <NativeSelect
          label="Status"
          hideLabel
          value={status}
          onChange={setStatus}
          options={[
            { value: '', label: 'Every status' },
            { value: 'active', label: 'active' },
          ]}
        />
      </FilterBar>
      <DataTable
        label="Pods"
        columns={columns}
        rows={places}
        rowKey={rowKey}
        rowName={rowName}
        rowActions={rowActions}
        sort={sort}
        onSort={setSort}
      />
      <Pager label="Pods" page={page} pageSize={10} total={12_345} onPage={setPage} />
    </div>
  )
}

function SortableTable() {
  const [rows, setRows] = useState(places.slice(0, 4))
  return (
    <SortableList
      items={rows.map((row) => ({ id: row.id, name: row.title }))}
      onMove={(from, to) => setRows(toMoved(rows, from, to))}
    >
      {(moveActions) => (
        <DataTable
          label="Features"
          columns={featureColumns}
          rows={rows}
          rowKey={rowKey}
          rowName={rowName}
          RowComponent={SortableRow}
          rowActions={(_, index) => [...moveActions(index), ...rowActions()]}
        />
      )}
    </SortableList>
  )
}

export function TablesGallery() {
  const shared = { columns: columns.slice(2), rowKey, rowName }
  return (
    <>
      <FullTable />
      <SortableTable />
      <Panel title="In a panel" flush>
        <DataTable label="Transactions" rows={places.slice(0, 3)} {...shared} />
        <Pager
          label="Transactions"
          page={1}
          pageSize={4}
          total={10_000}
          isAtLeast
          shown={4}
          onPage={nothing}
          pageSizes={[4, 5, 10]}
          onPageSize={nothing}
        />
      </Panel>
      <DataTable label="Loading" rows={undefined} skeletonRows={3} rowActions={rowActions} {...shared} />
      <DataTable label="Busy" rows={places.slice(0, 2)} busy {...shared} />
      <DataTable label="Bookings" rows={[]} empty={<EmptyState>Bookings appear here.</EmptyState>} {...shared} />
      <DataTable
        label="Users"
        rows={undefined}
        problem={{ message: 'The server did not answer.', requestId: 'req-7f3a91c2' }}
        onRetry={nothing}
        {...shared}
      />
    </>
  )
}
