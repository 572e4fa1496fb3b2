import type { Dashboard } from './dashboard.ts'
import { PAGE, type PageCode } from './pages.ts'
import { type Route, routes } from './routes.ts'

type EntityDescription = {
  /** Staff who hold it may see the history of such records, and undo changes if they may edit the page. */
  page: PageCode
  /** What one record is called. */
  noun: string
  /** What the filter by kind of record calls all of them. */
  label: string
  /**
   * `one`: it belongs to one location, and staff who have that may undo every change of it, and restore it. `several`:
   * it belongs to every location where it has booked; staff who have one of these may edit it and undo an edit, but
   * blocking, deleting and restoring affect all locations.
   */
  locations?: 'one' | 'several'
  /** Set if changes are sent to open screens. */
  live?: LiveDescription
}

type LiveDescription = {
  /** The endpoints that read such records. Only staff who may use one of them are told which record has changed. */
  readers: readonly [Reader, ...Reader[]]
  /**
   * The domains whose responses contain such a record or its name, besides `audit`, which contains all. Staff who may use
   * one of them are told that some record of this kind has changed.
   */
  domains: readonly (keyof typeof routes)[]
}
type Reader = Route & { access: readonly PageCode[] }

/** The kinds of records that changes concern. */
export const auditEntities = {
  pod: {
    page: PAGE.pods,
    noun: 'pod',
    label: 'Pods',
    locations: 'one',
    live: {
      readers: [routes.pods.list, routes.pods.get],
      domains: [
        'pods',
        'locations',
        'closures',
        'bookings',
        'transactions',
        'dashboard',
        'schedule',
        'bookingActions',
        'companies',
        'series',
      ],
    },
  },
  location: {
    page: PAGE.locations,
    noun: 'location',
    label: 'Locations',
    locations: 'one',
    live: {
      readers: [routes.locations.list, routes.locations.get],
      domains: [
        'locations',
        'pods',
        'closures',
        'bookings',
        'transactions',
        'dashboard',
        'schedule',
        'bookingActions',
        'messages',
        'companies',
        'series',
      ],
    },
  },
  feature: {
    page: PAGE.features,
    noun: 'feature',
    label: 'Features',
    live: {
      readers: [routes.features.list],
      domains: ['features', 'pods', 'dashboard', 'schedule'],
    },
  },
  customer: {
    page: PAGE.users,
    noun: 'user',
    label: 'Users',
    locations: 'several',
    live: {
      readers: [routes.users.list, routes.users.get],
      domains: ['users', 'bookings', 'transactions', 'dashboard', 'schedule', 'bookingActions'],
    },
  },
  company: {
    page: PAGE.corporateBooking,
    noun: 'company',
    label: 'Companies',
    locations: 'several',
    live: {
      readers: [routes.companies.list, routes.companies.get],
      domains: ['companies', 'bookings', 'schedule', 'bookingActions'],
    },
  },
  staff: {
    page: PAGE.staff,
    noun: 'staff member',
    label: 'Staff',
    live: {
      readers: [routes.staff.list],
      domains: ['staff', 'account', 'bookings', 'transactions', 'schedule', 'bookingActions', 'secondFactors'],
    },
  },
  'role-preset': {
    page: PAGE.staff,
    noun: 'preset',
    label: 'Presets of roles',
    live: { readers: [routes.rolePresets.list], domains: ['rolePresets'] },
  },
  booking: {
    page: PAGE.bookings,
    noun: 'booking',
    label: 'Bookings',
    locations: 'one',
    live: {
      readers: [routes.bookings.list, routes.bookings.get],
      domains: ['bookings', 'users', 'companies', 'transactions', 'dashboard', 'schedule', 'bookingActions', 'series'],
    },
  },
  closure: {
    page: PAGE.pods,
    noun: 'closure',
    label: 'Closures',
    live: {
      readers: [routes.closures.list, routes.schedule.get, routes.bookings.availability],
      domains: ['closures', 'pods', 'locations', 'bookings', 'dashboard', 'schedule', 'bookingActions', 'series'],
    },
  },
  transaction: {
    page: PAGE.transactions,
    noun: 'transaction',
    label: 'Transactions',
    live: {
      readers: [routes.transactions.list],
      domains: ['transactions', 'users', 'dashboard', 'bookingActions'],
    },
  },
  settings: {
    page: PAGE.transactions,
    noun: 'rate and discount',
    label: 'Rate and discount',
    live: {
      readers: [routes.pricing.getRate, routes.pricing.getDiscount],
      domains: ['pricing', 'schedule', 'bookingActions', 'secondFactors'],
    },
  },
  policy: {
    page: PAGE.staff,
    noun: 'policy',
    label: 'Policies',
    live: {
      readers: [routes.bookingActions.getPolicy],
      domains: ['bookingActions', 'secondFactors', 'pricing'],
    },
  },
  image: { page: PAGE.pods, noun: 'images', label: 'Images' },
  activity: { page: PAGE.staff, noun: 'activity', label: 'Activity' },
  mail: {
    page: PAGE.staff,
    noun: 'mail',
    label: 'Mails',
    live: { readers: [routes.mails.list], domains: ['mails', 'failedJobs'] },
  },
  template: {
    page: PAGE.staff,
    noun: 'message',
    label: 'Messages to customers',
    live: { readers: [routes.messages.templates], domains: ['messages'] },
  },
  job: {
    page: PAGE.staff,
    noun: 'job',
    label: 'Jobs',
    live: { readers: [routes.failedJobs.list], domains: ['failedJobs', 'mails', 'backups', 'dashboard'] },
  },
  webhook: {
    page: PAGE.staff,
    noun: 'webhook',
    label: 'Webhooks',
    live: {
      readers: [routes.webhooks.list, routes.deliveries.list],
      domains: ['webhooks', 'deliveries', 'failedJobs'],
    },
  },
  'api-key': {
    page: PAGE.staff,
    noun: 'API key',
    label: 'API keys',
    live: { readers: [routes.apiKeys.list], domains: ['apiKeys'] },
  },
} as const satisfies Record<string, EntityDescription>

type Entities = typeof auditEntities
export type AuditEntity = keyof Entities
/** A kind of record whose changes are sent to open screens. */
export type LiveEntity = { [E in AuditEntity]: Entities[E] extends { live: object } ? E : never }[AuditEntity]
type LocatedEntity = { [E in AuditEntity]: Entities[E] extends { locations: 'one' } ? E : never }[AuditEntity]

export const auditEntityNames = Object.keys(auditEntities) as [AuditEntity, ...AuditEntity[]] // the keys of a constant

const describe = (entity: AuditEntity): EntityDescription => auditEntities[entity]

/** Returns undefined for a kind that a newer server sends to a portal that was opened before it was updated. */
export function findEntity(entity: string): EntityDescription | undefined {
  const known: Partial<Record<string, EntityDescription>> = auditEntities
  return known[entity]
}

export function describeLive(entity: LiveEntity): LiveDescription {
  const { readers, domains } = auditEntities[entity].live
  return { readers, domains: [...domains, 'audit'] }
}

/**
 * The kinds of records that each panel of the dashboard shows, or that decide what it counts: customers are counted by
 * their bookings for staff with some locations.
 */
export const panelEntities: Record<keyof Dashboard['data'], readonly LiveEntity[]> = {
  pods: ['pod', 'location', 'closure'],
  feature: ['feature'],
  bookings: ['booking', 'pod'],
  Transaction: ['transaction', 'booking', 'pod', 'location', 'customer'],
  location: ['location'],
  userDetails: ['customer', 'booking'],
}

/** Lists the pages whose screens show such records or their names. */
export function listViewers(entity: LiveEntity): PageCode[] {
  const shown: Route[] = describeLive(entity).domains.flatMap((domain) => Object.values(routes[domain]))
  return [...new Set(shown.flatMap(({ access }) => (typeof access === 'string' ? [] : access)))]
}

// The types say the same as these conditions.
export const liveEntities = auditEntityNames.filter((entity) => describe(entity).live) as [LiveEntity, ...LiveEntity[]]
export const locatedEntities = auditEntityNames.filter(
  (entity) => describe(entity).locations === 'one',
) as LocatedEntity[]
export const sharedEntities = auditEntityNames.filter((entity) => describe(entity).locations === 'several')

/** The record id used when someone edits the rate and discount, or the policy: there is only one of each. */
export const SETTINGS_ID = '00000000-0000-0000-0000-000000000000'
