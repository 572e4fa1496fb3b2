import type { Pod } from '#contract/pods.ts'
import { PodCover } from '#web/components/pod-cover.tsx'
import { blockedColumn, idColumn } from '#web/components/record-list/record-columns.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import styles from './pods.module.css'

/** Columns of the table, operations excepted (rules §5.8). */
export const podColumns: readonly Column<Pod>[] = [
  {
    key: 'image',
    header: 'Image',
    width: 148,
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
    minWidth: 190,
    wraps: true,
    render: (pod) => <span className={styles.title}>{pod.title}</span>,
    text: (pod) => pod.title,
    sortable: true,
    phone: 'title',
  },
  {
    key: 'location',
    header: 'Location',
    minWidth: 190,
    render: ({ location }) => <TwoLines first={location.name} second={toPlace(location)} />,
    text: ({ location }) => `${location.name}, ${toPlace(location)}`,
    phone: 'line',
  },
  blockedColumn('active'),
]

function toPlace({ city, state }: Pod['location']): string {
  return `${city}, ${state}`
}
