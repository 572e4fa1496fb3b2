import * as z from 'zod/mini'
import { BookingSchema } from './bookings.ts'
import { endpoint } from './endpoint.ts'
import { FeatureSchema } from './features.ts'
import { timeText } from './fields.ts'
import { LocationSchema } from './locations.ts'
import { PodImageSchema } from './pods.ts'
import { routes } from './routes.ts'
import { TransactionSchema } from './transactions.ts'
import { UserSchema } from './users.ts'

/** The maximum number of rows in each list of the dashboard; the totals count all rows. */
export const DASHBOARD_ROWS = 100

const DashboardPodSchema = z.object({
  _id: z.string(),
  title: z.string(),
  isBlocked: z.boolean(),
  /** At most the first image, as a card shows only one. */
  images: z.array(PodImageSchema),
  location: z.object({ _id: z.string(), name: z.string(), city: z.string() }),
})
export type DashboardPod = z.infer<typeof DashboardPodSchema>

const PanelsSchema = z.object({
  pods: z.array(DashboardPodSchema),
  feature: z.array(FeatureSchema),
  bookings: z.array(BookingSchema),
  Transaction: z.array(z.omit(TransactionSchema, { locationDetails: true })),
  location: z.array(LocationSchema),
  userDetails: z.array(UserSchema),
})

const DashboardSchema = z.object({
  data: PanelsSchema,
  totals: z.object({
    pods: z.int(),
    feature: z.int(),
    bookings: z.int(),
    Transaction: z.int(),
    location: z.int(),
    userDetails: z.int(),
  }),
})
export type Dashboard = z.infer<typeof DashboardSchema>

/** `panel` asks for one list only, so that each panel loads and fails on its own. */
const DashboardQuery = z.object({
  panel: z.optional(z.keyof(PanelsSchema)),
})

const TodaySchema = z.object({
  /** The pods' wall clock, labelled Z. */
  now: timeText,
  /** Null for those who do not hold Booking. */
  bookings: z.nullable(z.object({ running: z.int(), arriving: z.int(), late: z.int() })),
  /** Pods that can be booked for the current quarter of an hour; null for those who do not hold Booking. */
  freePods: z.nullable(z.int()),
  /** Pods that cannot be used at this moment; null for those who do not hold Pods. */
  closedPods: z.nullable(z.int()),
  /** Payments that failed today; null for those who do not hold Transactions. */
  failedPayments: z.nullable(z.int()),
  /** Mails, calls of webhooks and other work that was given up; null for those who cannot see failed work. */
  failedJobs: z.nullable(z.int()),
  /**
   * The booked minutes of each opening hour, in order, for today and the following seven days; null for those who do
   * not hold Booking. `podMinutes` is the number of minutes that can be booked per hour.
   */
  occupancy: z.nullable(
    z.object({
      podMinutes: z.int(),
      days: z.array(z.object({ date: z.string(), minutes: z.array(z.int()) })),
    }),
  ),
})
export type Today = z.infer<typeof TodaySchema>

export const dashboardEndpoints = {
  today: endpoint(routes.dashboard.today, { response: TodaySchema }),
  get: endpoint(routes.dashboard.get, { query: DashboardQuery, response: DashboardSchema }),
}
