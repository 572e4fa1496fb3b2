import { IconAlertTriangle, IconClock } from '#web/ui/icons/icons.tsx'
import { toPlace } from './pod-row.tsx'
import { ASKS_FOR_REASON, type Proposal } from './proposal.ts'
import styles from './schedule-grid.module.css'
import { toSpanText } from './schedule-texts.ts'

type ProposalPreviewProps = {
  proposal: Proposal
  quarter: number
  top: number
  obstacle: string | undefined
  /** A note that the proposal is outside the opening hours. */
  hours: string | undefined
  price: string | undefined
}

/** Shows a proposal where it would be dropped, with its obstacle, hours note or change of price. */
export function ProposalPreview({ proposal, quarter, top, obstacle, hours, price }: ProposalPreviewProps) {
  return (
    <div
      className={styles.preview}
      style={{ top, ...toPlace(proposal, quarter) }}
      data-refused={obstacle !== undefined || undefined}
      data-outside-hours={hours !== undefined || undefined}
      aria-hidden
    >
      <span className={styles.previewWho}>{proposal.booked?.who ?? 'New booking'}</span>
      <span className={styles.previewWords}>
        <strong>{toSpanText(proposal)}</strong>
        {proposal.from && proposal.from.key !== proposal.row.key && <span>{proposal.row.name}</span>}
        {obstacle !== undefined && (
          <span className={styles.obstacle}>
            <IconAlertTriangle size={14} /> {obstacle}
          </span>
        )}
        {obstacle === undefined && hours !== undefined && (
          <span className={styles.outside}>
            <IconClock size={14} /> {hours}. {ASKS_FOR_REASON}.
          </span>
        )}
        {obstacle === undefined && price !== undefined && <span>{price}</span>}
      </span>
    </div>
  )
}
