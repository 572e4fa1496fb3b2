/** Known statuses; the facilitator may send others, which look failed (rules §10.2). */
export const transactionStatuses = ['completed', 'created', 'pending', 'failed', 'refunded'] as const
