import type { Delivery } from '#contract/webhooks.ts'
import { toMomentText } from '#web/lib/business-day.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './read-mail.module.css'
import { deliveryStateLabels, deliveryStateTones } from './webhook-words.ts'

/** What was sent to a webhook, and its response. */
export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { _id, event, url, state, tries, response, createdAt, sentAt, body } = delivery
  return (
    <Dialog title={event} width={720} onClose={onClose}>
      <dl className={styles.facts}>
        <dt>To</dt>
        <dd>{url}</dd>
        <dt>State</dt>
        <dd>
          <StatusChip tone={deliveryStateTones[state]}>{deliveryStateLabels[state]}</StatusChip>
        </dd>
        <dt>Response</dt>
        <dd>
          {response ?? 'None yet'} ({tries === 1 ? '1 try' : `${tries} tries`})
        </dd>
        <dt>Queued</dt>
        <dd>{toMomentText(createdAt)}</dd>
        {sentAt !== null && (
          <>
            <dt>Sent</dt>
            <dd>{toMomentText(sentAt)}</dd>
          </>
        )}
        <dt>webhook-id</dt>
        <dd>
          <CopyId id={_id} />
        </dd>
      </dl>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre className={styles.text} tabIndex={0} aria-label="Body">
        {toIndented(body)}
      </pre>
    </Dialog>
  )
}

/** Indents JSON. The body is always valid, because the database stores it as JSON. */
function toIndented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
