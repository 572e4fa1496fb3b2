const ofRecords = ['created', 'changed', 'blocked', 'unblocked', 'deleted', 'restored'] as const

/** What webhooks can be told of: kinds of records with what happens to them. `*` stands for all of a kind. */
export const webhookEvents = {
  booking: ['created', 'changed', 'cancelled'],
  pod: ofRecords,
  location: ofRecords,
  feature: ofRecords,
  customer: ofRecords,
  company: ['created', 'changed', 'deleted', 'restored'],
  transaction: ['created', 'changed'],
} as const satisfies Record<string, readonly string[]>

export const deliveryStates = ['queued', 'sent', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
