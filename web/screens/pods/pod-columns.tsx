import type { Pod } from '#contract/pods.ts'
import { PodPicture } from '#web/components/pod-picture.tsx'
import { CopyId } from '#web/ui/copy-id.tsx'
import type { Column } from '#web/ui/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import styles from './pods.module.css'

/** Columns of the table, operations excepted (spec §2, Pods). */
export const podColumns: readonly Column<Pod>[] = [
  {
    key: 'image',
    header: 'Image',
    width: 148,
    render: (pod) => (
      <div className={styles.picture}>
        <PodPicture pod={pod} />
      </div>
    ),
    phone: 'media',
  },
  { key: 'id', header: 'Pod Id', width: 148, render: (pod) => <CopyId id={pod._id} />, hideOnPhone: true },
  {
    key: 'title',
    header: 'Title',
    minWidth: 180,
    render: (pod) => <span className={styles.title}>{pod.title}</span>,
    text: (pod) => pod.title,
    sortable: true,
    phone: 'title',
  },
  {
    key: 'location',
    header: 'Location',
    minWidth: 200,
    render: ({ location }) => (
      <>
        <span className={styles.locationName}>{location.name}</span>
        <span className={styles.place}>{toPlace(location)}</span>
      </>
    ),
    text: ({ location }) => `${location.name}, ${toPlace(location)}`,
    phone: 'line',
  },
  {
    key: 'status',
    header: 'Status',
    width: 112,
    render: (pod) => (
      <StatusChip tone={pod.isBlocked ? 'red' : 'green'}>{pod.isBlocked ? 'Inactive' : 'active'}</StatusChip>
    ),
    phone: 'aside',
  },
]

function toPlace({ city, state }: Pod['location']): string {
  return `${city}, ${state}`
}
