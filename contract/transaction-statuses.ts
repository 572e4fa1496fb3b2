/** Known statuses; the facilitator may send others, which look failed (spec §4). */
export const transactionStatuses = ['completed', 'created', 'pending', 'failed'] as const
