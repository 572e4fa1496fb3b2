import type { ReactNode } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { DataTable, type DataTableProps } from '#web/ui/data-table/data-table.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { ChangedRows, NewRecords } from './new-records.tsx'
import type { RecordList } from './use-record-list.ts'

type ListFrameProps = {
  list: Omit<RecordList<unknown>, 'rows'> & { rows: readonly unknown[] | undefined }
  /** What is listed: 'Pods'. */
  label: string
  pageSizes?: readonly number[]
  onPageSize?: (pageSize: number) => void
  children: ReactNode
}

/** Surrounds the records of a list with the note on similar matches, the bar for new records, and the pager. */
export function ListFrame({ list, label, children, ...sizes }: ListFrameProps) {
  return (
    <>
      <SimilarNote search={list.similarTo} />
      <NewRecords {...list.newRecords} />
      {children}
      <Pager
        label={label}
        page={list.pageNumber}
        pageSize={list.pageSize}
        total={list.total.count}
        isAtLeast={list.total.isAtLeast}
        shown={list.rows?.length}
        onPage={list.onPage}
        {...sizes}
      />
    </>
  )
}

type NoMatchProps = { onClear: () => void; framed?: boolean; children: string }

/** Says that nothing matches the search and the filters, and clears them. */
export function NoMatch({ onClear, framed = false, children }: NoMatchProps) {
  return (
    <EmptyState framed={framed} action={<Button onClick={onClear}>Clear filters</Button>}>
      {children}
    </EmptyState>
  )
}

type EmptyListProps = {
  list: Pick<RecordList<unknown>, 'pageNumber' | 'onPage' | 'state'>
  /** Shown when nothing matches the search and the filters. */
  noMatch: string
  /** Shown when there are no records at all. */
  noneYet: ReactNode
  /** Draws it as a card, for use directly on the page. */
  framed?: boolean
}

/** Shown when a list page has no records. */
export function EmptyList({ list, noMatch, noneYet, framed = false }: EmptyListProps) {
  if (list.pageNumber > 1) {
    // The page does not exist, or no longer: because of an old link or a deletion.
    const action = <Button onClick={() => list.onPage(1)}>To the first page</Button>
    return (
      <EmptyState framed={framed} action={action}>
        This page is empty.
      </EmptyState>
    )
  }
  if (list.state.isFiltered) {
    return (
      <NoMatch framed={framed} onClear={list.state.clear}>
        {noMatch}
      </NoMatch>
    )
  }
  return typeof noneYet === 'string' ? <EmptyState framed={framed}>{noneYet}</EmptyState> : noneYet
}

type RecordTableProps<Row> = Omit<ListFrameProps, 'list' | 'children'> &
  Pick<EmptyListProps, 'noMatch' | 'noneYet'> &
  Pick<DataTableProps<Row>, 'columns' | 'rowName' | 'rowActions' | 'skeletonRows'> & { list: RecordList<Row> }

/** The records of a list as a table, with its loading, error and empty states. */
export function RecordTable<Row extends { _id: string }>(props: RecordTableProps<Row>) {
  const { list, label, pageSizes, onPageSize, noMatch, noneYet, ...table } = props
  const { sort, rows, marks } = list
  return (
    <ListFrame list={list} label={label} {...(pageSizes && onPageSize && { pageSizes, onPageSize })}>
      <ChangedRows marks={marks} names={rows?.filter(({ _id }) => marks.ids.has(_id)).map(table.rowName) ?? []} />
      <DataTable
        skeletonRows={list.pageSize}
        {...table}
        label={label}
        rows={rows}
        rowKey={(row) => row._id}
        busy={list.isFetching}
        marked={list.marks.ids}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => list.onSort(direction === 'desc' ? `-${key}` : key)}
        problem={list.error && toProblem(list.error)}
        onRetry={list.retry}
        empty={<EmptyList list={list} noMatch={noMatch} noneYet={noneYet} />}
      />
    </ListFrame>
  )
}
