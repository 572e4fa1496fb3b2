import type { AuditEntity } from './audit-entities.ts'

/**
 * What people call the fields of a record, by their names on the wire: in forms, in messages and in the history. Apart
 * from the schemas, so that screens do not load these.
 */

export const podLabels = {
  title: 'Title',
  description: 'Description',
  direction: 'Maps link',
  location: 'Location',
  features: 'Features',
  images: 'Images',
  booking_requirements: 'Booking requirements',
  availability: 'Availability',
  cancellation_policy: 'Cancellation policy',
  safety_and_property: 'Safety and property',
  UserId: 'User id',
  deviceId: 'Device id',
  serial: 'Device serial',
  password: 'Device password',
  email: 'Host email',
  rate: 'Rate per minute',
  capacity: 'Seats',
  bufferMinutes: 'Cleaning time',
  timeSlot: 'Time slot',
  tags: 'Tags',
  productId: 'Product id',
} as const

export const customerLabels = {
  firstname: 'First name',
  lastname: 'Last name',
  email: 'Email',
  mobile: 'Mobile',
} as const

/** Those that are text; the form names the others. */
export const staffLabels = {
  firstname: 'First name',
  lastname: 'Last name',
  email: 'Email',
  phoneNumber: 'Phone number',
  role: 'Role',
} as const

export const companyLabels = {
  name: 'Company name',
  contactName: 'Contact name',
  email: 'Email',
  phone: 'Phone',
  vatNumber: 'VAT number',
  costCentre: 'Cost centre',
  billingAddress: 'Billing address',
} as const

/** By kind of record, for what the history calls the fields. */
export const labelsOfKinds: Partial<Record<AuditEntity, Partial<Record<string, string>>>> = {
  pod: podLabels,
  customer: customerLabels,
  company: companyLabels,
  staff: staffLabels,
  template: { body: 'Text' },
  webhook: { url: 'URL' },
}
