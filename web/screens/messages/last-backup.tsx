import { useQuery } from '@tanstack/react-query'
import type { Backups } from '#contract/backups.ts'
import { apiQuery } from '#web/api/query.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { toCounted, toMegabytesText } from '#web/lib/format.ts'
import { Panel } from '#web/ui/panel/panel.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './last-backup.module.css'

/** The last daily backup (rules §39.7). Failed ones are in the list below. */
export function LastBackup() {
  const query = useQuery(apiQuery('backups', 'get'))
  const backups = query.data?.data
  return (
    <div className={styles.place}>
      <Panel title="Backups">
        {backups ? (
          <>
            <Words backups={backups} />
            {backups.nextAt !== null && <p className={styles.said}>The next is due {toMomentText(backups.nextAt)}.</p>}
          </>
        ) : (
          <Unloaded query={query} title="The backups could not be loaded">
            <SkeletonLines count={1} />
          </Unloaded>
        )}
      </Panel>
    </div>
  )
}

function Words({ backups: { isOn, last } }: { backups: Backups }) {
  if (!isOn) {
    return (
      <p className={styles.said}>
        <StatusChip tone="grey">Off</StatusChip> There are no scheduled backups. They begin when whoever runs the server
        sets BACKUP_TO.
      </p>
    )
  }
  if (!last) {
    return (
      <p className={styles.said}>
        <StatusChip tone="orange">None yet</StatusChip> No backup has been made yet.
      </p>
    )
  }
  const content = `${toCounted(last.rows, 'row', 'rows')} and ${toCounted(last.images, 'image', 'images')}`
  return (
    <p className={styles.said}>
      <StatusChip tone="green">Checked</StatusChip> The last backup was made {toMomentText(last.madeAt)}: {content},{' '}
      {toMegabytesText(last.bytes)}. It was read back and found whole.
    </p>
  )
}
