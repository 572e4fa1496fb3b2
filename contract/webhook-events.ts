const ofRecords = ['created', 'changed', 'blocked', 'unblocked', 'deleted', 'restored'] as const

/**
 * The events that webhooks can subscribe to, by kind of record. `*` stands for all events of a kind. Transactions have
 * none: other systems write them, and the history does not see them.
 */
export const webhookEvents = {
  booking: ['created', 'changed', 'cancelled'],
  pod: ofRecords,
  location: ofRecords,
  feature: ofRecords,
  customer: ofRecords,
  company: ['created', 'changed', 'deleted', 'restored'],
} as const satisfies Record<string, readonly string[]>

export const deliveryStates = ['queued', 'sent', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
