import type { AuditEntity } from './audit-entities.ts'

/** The kinds of records that the header's search finds, in display order, by the names of their groups on the wire. */
export const searchKinds = {
  pods: 'pod',
  locations: 'location',
  users: 'customer',
  companies: 'company',
  bookings: 'booking',
  transactions: 'transaction',
} as const satisfies Record<string, AuditEntity>

export type SearchGroup = keyof typeof searchKinds

export const searchGroups = Object.keys(searchKinds) as [SearchGroup, ...SearchGroup[]] // the keys of a constant
