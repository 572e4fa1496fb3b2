import type { PageCode } from './pages.ts'
import { routes } from './routes.ts'

export const liveEntities = [
  'pod',
  'location',
  'feature',
  'customer',
  'company',
  'staff',
  'booking',
  'closure',
  'transaction',
  'settings',
  'policy',
  'mail',
  'template',
  'webhook',
] as const

/** A kind of record whose changes are told to open screens. */
export type LiveEntity = (typeof liveEntities)[number]

/** The pages that admit to reading records of a kind: they alone learn of its changes. */
export const livePages: Readonly<Record<LiveEntity, readonly PageCode[]>> = {
  pod: pagesOf(routes.pods.list, routes.pods.get),
  location: pagesOf(routes.locations.list, routes.locations.get),
  feature: pagesOf(routes.features.list),
  customer: pagesOf(routes.users.list, routes.users.get),
  company: pagesOf(routes.companies.list, routes.companies.get),
  staff: pagesOf(routes.staff.list),
  booking: pagesOf(routes.bookings.list, routes.bookings.get),
  closure: pagesOf(routes.closures.list),
  transaction: pagesOf(routes.transactions.list),
  settings: pagesOf(routes.pricing.getRate, routes.pricing.getDiscount),
  policy: pagesOf(routes.bookingActions.getPolicy),
  mail: pagesOf(routes.mails.list),
  template: pagesOf(routes.messages.templates),
  webhook: pagesOf(routes.webhooks.list, routes.deliveries.list),
}

function pagesOf(...admitting: { access: readonly PageCode[] }[]): readonly PageCode[] {
  return [...new Set(admitting.flatMap(({ access }) => access))]
}

/** By which editors of the rate and discount, or of the policy, are told: there is only one of each. */
export const SETTINGS_ID = '00000000-0000-0000-0000-000000000000'

/** Names the tab that sends a request, so that it knows its own changes when it is told of them. */
/** For how many seconds the person has not touched the portal that sends the request. */
export const IDLE_HEADER = 'x-idle-seconds'

export const TAB_HEADER = 'x-tab-id'
