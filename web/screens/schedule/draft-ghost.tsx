import { IconAlertTriangle } from '#web/ui/icons/icons.tsx'
import { type Draft, toSpanText } from './draft.ts'
import { toPlace } from './lane-row.tsx'
import styles from './schedule-grid.module.css'

type DraftGhostProps = { draft: Draft; top: number; obstacle: string | undefined; price: string | undefined }

/** Where something would stand if it were let go now, and what would follow. */
export function DraftGhost({ draft, top, obstacle, price }: DraftGhostProps) {
  return (
    <div
      className={styles.ghost}
      style={{ top, ...toPlace(draft) }}
      data-refused={obstacle !== undefined || undefined}
      aria-hidden
    >
      <span className={styles.ghostWho}>{draft.booked?.who ?? 'New booking'}</span>
      <span className={styles.ghostWords}>
        <strong>{toSpanText(draft)}</strong>
        {draft.from && draft.from.key !== draft.lane.key && <span>{draft.lane.name}</span>}
        {obstacle !== undefined && (
          <span className={styles.obstacle}>
            <IconAlertTriangle size={14} /> {obstacle}
          </span>
        )}
        {obstacle === undefined && price !== undefined && <span>{price}</span>}
      </span>
    </div>
  )
}
