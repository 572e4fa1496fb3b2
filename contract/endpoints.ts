import { accountEndpoints } from './account.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { auditEndpoints } from './audit.ts'
import { authEndpoints } from './auth.ts'
import { backupEndpoints } from './backups.ts'
import { bookingActionEndpoints } from './booking-actions.ts'
import { bookingEndpoints } from './bookings.ts'
import { closureEndpoints } from './closures.ts'
import { companyEndpoints } from './companies.ts'
import { dashboardEndpoints } from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { failedJobEndpoints } from './failed-jobs.ts'
import { featureEndpoints } from './features.ts'
import { hourEndpoints } from './hours.ts'
import { liveEndpoints } from './live.ts'
import { locationEndpoints } from './locations.ts'
import { mailEndpoints } from './mails.ts'
import { messageEndpoints } from './messages.ts'
import { passkeyEndpoints } from './passkeys.ts'
import { podEndpoints } from './pods.ts'
import { pricingEndpoints } from './pricing.ts'
import { rolePresetEndpoints } from './role-presets.ts'
import type { routes } from './routes.ts'
import { scheduleEndpoints } from './schedule.ts'
import { searchEndpoints } from './search.ts'
import { secondFactorEndpoints } from './second-factors.ts'
import { seriesEndpoints } from './series.ts'
import { staffEndpoints } from './staff.ts'
import { transactionEndpoints } from './transactions.ts'
import { uploadEndpoints } from './uploads.ts'
import { userEndpoints } from './users.ts'
import { viewAsEndpoints } from './view-as.ts'
import { deliveryEndpoints, webhookEndpoints } from './webhooks.ts'

/**
 * The whole API. Routes, access checks, the client's types, the OpenAPI document and the access tests are all derived
 * from this table.
 */
export const endpoints = {
  auth: authEndpoints,
  account: accountEndpoints,
  secondFactors: secondFactorEndpoints,
  passkeys: passkeyEndpoints,
  dashboard: dashboardEndpoints,
  features: featureEndpoints,
  locations: locationEndpoints,
  pods: podEndpoints,
  uploads: uploadEndpoints,
  bookings: bookingEndpoints,
  bookingActions: bookingActionEndpoints,
  schedule: scheduleEndpoints,
  closures: closureEndpoints,
  hours: hourEndpoints,
  users: userEndpoints,
  staff: staffEndpoints,
  companies: companyEndpoints,
  series: seriesEndpoints,
  transactions: transactionEndpoints,
  pricing: pricingEndpoints,
  rolePresets: rolePresetEndpoints,
  viewAs: viewAsEndpoints,
  audit: auditEndpoints,
  mails: mailEndpoints,
  messages: messageEndpoints,
  webhooks: webhookEndpoints,
  apiKeys: apiKeyEndpoints,
  deliveries: deliveryEndpoints,
  backups: backupEndpoints,
  failedJobs: failedJobEndpoints,
  search: searchEndpoints,
  live: liveEndpoints,
} satisfies Complete

/** Makes a route without schemas a compile error. */
type Complete = { [Domain in keyof typeof routes]: { [Name in keyof (typeof routes)[Domain]]: Endpoint } }

export type Endpoints = typeof endpoints
