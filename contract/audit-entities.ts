import { PAGE, type PageCode } from './pages.ts'

/**
 * The kinds of records that changes concern. Staff who hold one of a kind's pages may see its history, and undo changes
 * if they may edit the page.
 */
export const auditEntities = {
  pod: [PAGE.pods],
  location: [PAGE.locations],
  feature: [PAGE.features],
  customer: [PAGE.users],
  company: [PAGE.corporateBooking],
  staff: [PAGE.staff],
  'role-preset': [PAGE.staff],
  booking: [PAGE.bookings],
  closure: [PAGE.pods],
  transaction: [PAGE.transactions],
  settings: [PAGE.transactions],
  policy: [PAGE.staff],
  image: [PAGE.pods],
  activity: [PAGE.staff],
  mail: [PAGE.staff],
  template: [PAGE.staff],
  webhook: [PAGE.staff],
  'api-key': [PAGE.staff],
  job: [PAGE.staff],
} as const satisfies Record<string, readonly PageCode[]>
export type AuditEntity = keyof typeof auditEntities

/** Kinds of records that belong to one location: staff who have it may undo every change of them, and restore them. */
export const locatedEntities = ['pod', 'location', 'booking'] as const satisfies AuditEntity[]

/**
 * Kinds of records that belong to every location where they have booked: staff who have one of these may edit them and
 * undo an edit, but blocking, deleting and restoring affect all locations.
 */
export const sharedEntities = ['customer', 'company'] as const satisfies AuditEntity[]
