import type { DeliveryState } from '#contract/webhook-events.ts'
import type { Tone } from '#web/ui/status-chip/status-chip.tsx'

export const deliveryStateLabels: Record<DeliveryState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
}

export const deliveryStateTones: Record<DeliveryState, Tone> = { queued: 'blue', sent: 'green', failed: 'red' }
