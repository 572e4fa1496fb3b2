import type { AuditEntity } from './audit-entities.ts'
import type { PageCode } from './pages.ts'
import { routes } from './routes.ts'

/** The endpoints that read records of a kind. Only staff who may use one of them are told of changes. */
const readers = {
  pod: [routes.pods.list, routes.pods.get],
  location: [routes.locations.list, routes.locations.get],
  feature: [routes.features.list],
  customer: [routes.users.list, routes.users.get],
  company: [routes.companies.list, routes.companies.get],
  staff: [routes.staff.list],
  'role-preset': [routes.rolePresets.list],
  booking: [routes.bookings.list, routes.bookings.get],
  closure: [routes.closures.list, routes.schedule.get, routes.bookings.availability],
  transaction: [routes.transactions.list],
  settings: [routes.pricing.getRate, routes.pricing.getDiscount],
  policy: [routes.bookingActions.getPolicy],
  mail: [routes.mails.list],
  template: [routes.messages.templates],
  webhook: [routes.webhooks.list, routes.deliveries.list],
  'api-key': [routes.apiKeys.list],
  job: [routes.failedJobs.list],
} as const satisfies { [Entity in AuditEntity]?: readonly { access: readonly PageCode[] }[] }

/** A kind of record whose changes are sent to open screens. */
export type LiveEntity = keyof typeof readers

export const liveEntities = Object.keys(readers) as [LiveEntity, ...LiveEntity[]] // the keys of a constant

/** The pages that give access to reading records of each kind. */
export const livePages = toTable((calls) => [...new Set(calls.flatMap(({ access }) => access))])

/**
 * Which changes of a kind are told to staff with some locations: with `narrowed` those of their locations' records,
 * with `none` all, with `all` nothing.
 */
export const liveLocations = toTable(([{ locations }]) => locations)

function toTable<T>(toValue: (calls: (typeof readers)[LiveEntity]) => T): Readonly<Record<LiveEntity, T>> {
  return Object.fromEntries(liveEntities.map((entity) => [entity, toValue(readers[entity])])) as Record<LiveEntity, T> // built from the same names
}

/** The record id used when someone edits the rate and discount, or the policy: there is only one of each. */
export const SETTINGS_ID = '00000000-0000-0000-0000-000000000000'

/** Seconds since the person last used the portal that sends the request. */
export const IDLE_HEADER = 'x-idle-seconds'

/** Identifies the tab that sends a request, so that it recognises its own changes when it is told of them. */
export const TAB_HEADER = 'x-tab-id'
