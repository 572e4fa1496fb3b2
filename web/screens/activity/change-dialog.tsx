import type { Change } from '#contract/audit.ts'
import { ChangeItem } from '#web/components/history/change-item.tsx'
import { toKindLabel } from '#web/components/history/kind-words.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import styles from './change-dialog.module.css'

/** All details of one change. */
export function ChangeDialog({ change, onClose }: { change: Change; onClose: () => void }) {
  const { label, entity, entityId, address, requestId } = change
  return (
    <Dialog title={label || toKindLabel(entity)} width={720} onClose={onClose}>
      <ChangeItem change={change} />
      <dl className={styles.facts}>
        {entityId !== null && (
          <div>
            <dt>Record</dt>
            <dd>
              <CopyId id={entityId} />
            </dd>
          </div>
        )}
        {address !== null && (
          <div>
            <dt>Address</dt>
            <dd>{address}</dd>
          </div>
        )}
        {requestId !== null && (
          <div>
            <dt>Request</dt>
            <dd>{requestId}</dd>
          </div>
        )}
      </dl>
    </Dialog>
  )
}
