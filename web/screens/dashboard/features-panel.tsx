import type { Feature } from '#contract/features.ts'
import { PAGE } from '#contract/pages.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { pathOf } from '#web/paths.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { PagedTable } from './paged-table.tsx'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

type Row = Feature

const columns: readonly Column<Row>[] = [
  { key: 'id', header: 'Id', width: 112, render: (row) => <CopyId id={row._id} /> },
  {
    key: 'name',
    header: 'Full Name',
    text: (row) => row.name,
    wraps: true,
    render: (row) => <RecordLink href={pathOf(PAGE.features, { search: row.name })}>{row.name}</RecordLink>,
    phone: 'title',
  },
  {
    key: 'status',
    header: 'Status',
    width: 112,
    render: (row) => (
      <StatusChip tone={row.isBlocked ? 'red' : 'green'}>{row.isBlocked ? 'Inactive' : 'Active'}</StatusChip>
    ),
    phone: 'aside',
  },
]

export function FeaturesPanel({ userId, wide }: { userId: string; wide: boolean }) {
  const { rows, ...state } = usePanel(userId, 'feature')
  return (
    <Panel title="Features" href="/features" state={state} wide={wide}>
      <PagedTable
        label="Features"
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        busy={state.busy}
        empty="Features such as Wi-Fi or a screen appear here."
      />
    </Panel>
  )
}
