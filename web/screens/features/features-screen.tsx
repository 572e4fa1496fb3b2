import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Feature } from '#contract/features.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { FeatureIcon } from '#web/components/feature-icon.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { BlockedFilter, ListFilters, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { blockedColumn, toDeletedColumns } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { NoMatch } from '#web/components/record-list/record-table.tsx'
import { startDownload } from '#web/components/record-list/start-download.ts'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { useListState } from '#web/components/record-list/use-list-state.ts'
import { useMarks } from '#web/components/record-list/use-live-rows.ts'
import { useDelayed } from '#web/lib/delayed.ts'
import { toMoved } from '#web/lib/moved.ts'
import { choiceParam, textParam } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { IconDownload, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { DragHandle, SortableList, SortableRow } from '#web/ui/sortable-list/sortable-list.tsx'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { DeleteFeature } from './delete-feature.tsx'
import { FeatureForm } from './feature-form.tsx'
import { featureListQuery, foundFeaturesQuery, useFeatureReorder } from './feature-list.ts'
import styles from './features-screen.module.css'

const params = { search: textParam(), status: choiceParam(['active', 'blocked', 'deleted']) }

const columns: readonly Column<Feature>[] = [
  {
    key: 'id',
    header: 'Id',
    width: 196,
    render: (feature) => (
      <span className={styles.lead}>
        <DragHandle name={feature.name} />
        <CopyId id={feature._id} />
      </span>
    ),
    hideOnPhone: true,
  },
  {
    key: 'name',
    header: 'Name',
    minWidth: 180,
    text: (feature) => feature.name,
    render: (feature) => (
      <span className={styles.name}>
        <FeatureIcon name={feature.icon} />
        <span>{feature.name}</span>
      </span>
    ),
    phone: 'title',
  },
  blockedColumn('Active', 128),
]

const deletedColumns = toDeletedColumns(columns)

/** Screen of page 2 (rules §7.4). */
export function FeaturesScreen() {
  const state = useListState(params)
  const { search, status } = state.values
  const { isFiltered } = state
  const isDeleted = status === 'deleted'
  const all = useQuery(featureListQuery)
  const found = useQuery({
    ...foundFeaturesQuery({ search, status }),
    enabled: isFiltered,
    placeholderData: (before) => before ?? (all.data && { features: all.data, similarTo: undefined }),
  })
  const features = isFiltered ? found : all
  const queryClient = useQueryClient()
  const records = useRecordDialogs('feature', toName)
  const { dialogs, create } = records
  const [isReloading, setReloading] = useState(false)
  const isRefreshing = useDelayed(isReloading)
  const reorder = useFeatureReorder()
  const isSortable = useMay().call('features.reorder') && !isFiltered
  // Blocking updates the row in place, without skeletons, so that the focus stays on its button.
  const { toBlockAction } = useBlockToggle('features')

  async function reload() {
    setReloading(true)
    await queryClient.invalidateQueries({ queryKey: ['features'] })
    setReloading(false)
  }

  const rows = (isFiltered ? found.data?.features : all.data) ?? []
  const { marks } = useMarks(
    'feature',
    rows.map(({ _id }) => _id),
    features.dataUpdatedAt,
  )
  const toActions = (feature: Feature, moveActions: readonly RowAction[]): RowAction[] =>
    isDeleted
      ? records.toDeletedActions(feature)
      : [
          ...moveActions,
          records.toEditAction(feature),
          toBlockAction(feature),
          records.toHistoryAction(feature),
          records.toDeleteAction(feature, 'features.delete'),
        ]

  return (
    <>
      <PageHeader
        title="Features"
        count={toListCount(
          'All Features',
          { count: features.data && rows.length, isAtLeast: false },
          isFiltered ? { all: all.data?.length } : undefined,
        )}
        secondaryActions={
          <Button
            icon={<IconDownload size={16} />}
            onClick={() => void startDownload('features', 'export', { query: { search, status } })}
          >
            Download All
          </Button>
        }
        action={
          <CallButton call="features.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
            Create Feature
          </CallButton>
        }
      />
      <ListFilters
        state={state}
        label="Search features"
        note={isFiltered && <span className={styles.note}>Show all features to change their order.</span>}
      >
        <BlockedFilter state={state} />
      </ListFilters>
      <SimilarNote search={isFiltered ? found.data?.similarTo : undefined} />
      {features.isPending ? (
        <output className={styles.loading}>
          <Spinner size={28} />
          Loading features
        </output>
      ) : (
        <SortableList
          items={rows.map((feature) => ({ id: feature._id, name: feature.name }))}
          onMove={(from, to) => reorder(toMoved(rows, from, to))}
          disabled={!isSortable}
        >
          {(moveActions) => (
            <DataTable
              label="Features"
              columns={isDeleted ? deletedColumns : columns}
              rows={features.data === undefined ? undefined : rows}
              rowKey={(feature) => feature._id}
              rowName={toName}
              rowActions={(feature, index) => toActions(feature, isSortable ? moveActions(index) : [])}
              skeletonRows={3}
              refreshing={isRefreshing}
              busy={features.isFetching}
              marked={marks.ids}
              problem={features.error && toProblem(features.error)}
              onRetry={() => void features.refetch()}
              empty={<NoFeatures {...{ isFiltered, isDeleted }} onClear={state.clear} onCreate={create} />}
              {...(isSortable && { RowComponent: SortableRow })}
            />
          )}
        </SortableList>
      )}
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(feature, onClose) => <FeatureForm feature={feature} onSaved={reload} onClose={onClose} />}
        renderDeletion={(feature, onClose) => <DeleteFeature feature={feature} onDeleted={reload} onClose={onClose} />}
      />
    </>
  )
}

function toName({ name }: Feature): string {
  return name
}

type NoFeaturesProps = { isFiltered: boolean; isDeleted: boolean; onClear: () => void; onCreate: () => void }

function NoFeatures({ isFiltered, isDeleted, onClear, onCreate }: NoFeaturesProps) {
  if (isFiltered) {
    return (
      <NoMatch onClear={onClear}>
        {isDeleted ? toNoDeletedText('features') : 'No feature matches. Try other words or another status.'}
      </NoMatch>
    )
  }
  return (
    <EmptyState
      action={
        <CallButton call="features.create" icon={<IconPlus size={16} />} onClick={onCreate}>
          Create the first feature
        </CallButton>
      }
    >
      What pods offer, such as Wi‑Fi or a screen, appears here.
    </EmptyState>
  )
}
