import type { AuditEntity } from '#contract/audit-entities.ts'
import { policyRecord } from '../bookings/booking-policy.service.ts'
import { bookingRecord } from '../bookings/bookings.repository.ts'
import { companyRecord } from '../companies/companies.repository.ts'
import { featureRecord } from '../features/features.repository.ts'
import { locationRecord } from '../locations/locations.repository.ts'
import { templateRecord } from '../messages/templates.service.ts'
import { podRecord } from '../pods/pods.repository.ts'
import { settingsRecord } from '../pricing/pricing.repository.ts'
import { rolePresetRecord } from '../role-presets/role-presets.repository.ts'
import { staffRecord } from '../staff/staff.repository.ts'
import { customerRecord } from '../users/users.repository.ts'
import { webhookRecord } from '../webhooks/webhooks.repository.ts'
import type { RecordKind } from './record-kind.ts'

/** Records whose changes can be undone; those that can be deleted can be restored too. Undefined for the others. */
export const recordKinds: Record<AuditEntity, RecordKind | undefined> = {
  pod: podRecord,
  location: locationRecord,
  feature: featureRecord,
  customer: customerRecord,
  company: companyRecord,
  staff: staffRecord,
  webhook: webhookRecord,
  'role-preset': rolePresetRecord,
  booking: bookingRecord,
  settings: settingsRecord,
  policy: policyRecord,
  template: templateRecord,
  closure: undefined,
  'api-key': undefined,
  transaction: undefined,
  image: undefined,
  activity: undefined,
  mail: undefined,
  job: undefined,
}
