import { PAGE, type PageCode } from './pages.ts'

/** What a change is about, with the pages whose staff may see its history, and with edit take changes back. */
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
