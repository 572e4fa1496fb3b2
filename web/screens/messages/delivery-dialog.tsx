import type { Delivery } from '#contract/webhooks.ts'
import { toMomentText } from '#web/lib/business-day.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './delivery-dialog.module.css'
import { deliveryStateLabels, deliveryStateTones } from './webhook-words.ts'

/** What was sent to a webhook, and its response. */
export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { _id, event, url, state, tries, response, nextTryAt, createdAt, sentAt, body } = delivery
  return (
    <Dialog title={event} width={720} onClose={onClose}>
      <Facts>
        <Fact name="To">{url}</Fact>
        <Fact name="State">
          <StatusChip tone={deliveryStateTones[state]}>{deliveryStateLabels[state]}</StatusChip>
        </Fact>
        <Fact name="Response">
          {response ?? 'None yet'} ({tries === 1 ? '1 try' : `${tries} tries`})
        </Fact>
        <Fact name="Next try">{nextTryAt && toMomentText(nextTryAt)}</Fact>
        <Fact name="Queued">{toMomentText(createdAt)}</Fact>
        <Fact name="Sent">{sentAt && toMomentText(sentAt)}</Fact>
        <Fact name="webhook-id">
          <CopyId id={_id} />
        </Fact>
      </Facts>
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
