import type { AuditEntity } from '#contract/audit.ts'

/** Nouns for one record of each kind. */
export const recordNouns: Record<AuditEntity, string> = {
  pod: 'pod',
  location: 'location',
  feature: 'feature',
  customer: 'user',
  company: 'company',
  staff: 'staff member',
  'role-preset': 'preset',
  booking: 'booking',
  closure: 'closure',
  transaction: 'transaction',
  settings: 'rate and discount',
  policy: 'policy',
  image: 'images',
  activity: 'activity',
  mail: 'mail',
  template: 'message',
  job: 'job',
  webhook: 'webhook',
  'api-key': 'API key',
}

/** Labels in the filter by kind of record. */
export const kindLabels: Record<AuditEntity, string> = {
  pod: 'Pods',
  location: 'Locations',
  feature: 'Features',
  customer: 'Users',
  company: 'Companies',
  staff: 'Staff',
  'role-preset': 'Presets of roles',
  booking: 'Bookings',
  closure: 'Closures',
  transaction: 'Transactions',
  settings: 'Rate and discount',
  policy: 'Policies',
  image: 'Images',
  activity: 'Activity',
  mail: 'Mails',
  template: 'Messages to customers',
  job: 'Jobs',
  webhook: 'Webhooks',
  'api-key': 'API keys',
}
