import { useState } from 'react'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './dashboard.module.css'

const PAGE_SIZES = [4, 5, 10] as const

type PagedTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  /** How many there are; the dashboard has the first 100. */
  total: number | undefined
  rowKey: (row: Row) => string
  /** Whether the rows are being refetched. */
  busy: boolean
  empty: string
}

/** The first rows of a list in pages of 4, 5 or 10; all rows are already loaded (rules §11.2). */
export function PagedTable<Row>({ label, columns, rows, total = 0, rowKey, busy, empty }: PagedTableProps<Row>) {
  const [pageSize, setPageSize] = useState<number>(PAGE_SIZES[0])
  const [page, setPage] = useState(1)
  const last = Math.max(1, Math.ceil((rows?.length ?? 0) / pageSize))
  const shown = Math.min(page, last)
  return (
    <>
      <div className={styles.rows}>
        <DataTable
          label={label}
          columns={columns}
          rows={rows?.slice((shown - 1) * pageSize, shown * pageSize)}
          rowKey={rowKey}
          rowName={rowKey}
          skeletonRows={pageSize}
          busy={busy}
          empty={<EmptyState>{empty}</EmptyState>}
        />
      </div>
      <div className={styles.pager}>
        {rows && (
          <Pager
            label={label}
            page={shown}
            pageSize={pageSize}
            total={rows.length}
            isPart={rows.length < total}
            onPage={setPage}
            pageSizes={PAGE_SIZES}
            onPageSize={(size) => {
              setPageSize(size)
              setPage(1)
            }}
          />
        )}
      </div>
    </>
  )
}
