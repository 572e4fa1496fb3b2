import type { Endpoints } from '#contract/endpoints.ts'
import type { Handlers } from './http/handler.ts'
import { failedJobHandlers } from './jobs/failed-jobs.routes.ts'
import { accountHandlers } from './modules/account/account.routes.ts'
import { apiKeyHandlers } from './modules/api-keys/api-keys.routes.ts'
import { auditHandlers } from './modules/audit/audit.routes.ts'
import { authHandlers } from './modules/auth/auth.routes.ts'
import { backupHandlers } from './modules/backups/backups.routes.ts'
import { bookingActionHandlers } from './modules/bookings/booking-actions.routes.ts'
import { bookingHandlers } from './modules/bookings/bookings.routes.ts'
import { closureHandlers } from './modules/closures/closures.routes.ts'
import { companyHandlers } from './modules/companies/companies.routes.ts'
import { dashboardHandlers } from './modules/dashboard/dashboard.routes.ts'
import { featureHandlers } from './modules/features/features.routes.ts'
import { hourHandlers } from './modules/hours/hours.routes.ts'
import { liveHandlers } from './modules/live/live.routes.ts'
import { locationHandlers } from './modules/locations/locations.routes.ts'
import { mailHandlers } from './modules/mail/mail.routes.ts'
import { messageHandlers } from './modules/messages/messages.routes.ts'
import { passkeyHandlers } from './modules/passkeys/passkeys.routes.ts'
import { podHandlers } from './modules/pods/pods.routes.ts'
import { pricingHandlers } from './modules/pricing/pricing.routes.ts'
import { rolePresetHandlers } from './modules/role-presets/role-presets.routes.ts'
import { scheduleHandlers } from './modules/schedule/schedule.routes.ts'
import { searchHandlers } from './modules/search/search.routes.ts'
import { secondFactorHandlers } from './modules/second-factors/second-factors.routes.ts'
import { seriesHandlers } from './modules/series/series.routes.ts'
import { staffHandlers } from './modules/staff/staff.routes.ts'
import { transactionHandlers } from './modules/transactions/transactions.routes.ts'
import { uploadHandlers } from './modules/uploads/uploads.routes.ts'
import { userHandlers } from './modules/users/users.routes.ts'
import { viewAsHandlers } from './modules/view-as/view-as.routes.ts'
import { deliveryHandlers, webhookHandlers } from './modules/webhooks/webhooks.routes.ts'

/** The handlers of each domain's endpoints, file downloads included. A missing domain is a compile error. */
export const domainHandlers: { [Name in keyof Endpoints]: Handlers<Endpoints[Name]> } = {
  account: accountHandlers,
  apiKeys: apiKeyHandlers,
  audit: auditHandlers,
  auth: authHandlers,
  backups: backupHandlers,
  bookings: bookingHandlers,
  bookingActions: bookingActionHandlers,
  companies: companyHandlers,
  dashboard: dashboardHandlers,
  failedJobs: failedJobHandlers,
  features: featureHandlers,
  closures: closureHandlers,
  hours: hourHandlers,
  live: liveHandlers,
  locations: locationHandlers,
  mails: mailHandlers,
  messages: messageHandlers,
  passkeys: passkeyHandlers,
  pods: podHandlers,
  pricing: pricingHandlers,
  rolePresets: rolePresetHandlers,
  schedule: scheduleHandlers,
  search: searchHandlers,
  secondFactors: secondFactorHandlers,
  series: seriesHandlers,
  staff: staffHandlers,
  transactions: transactionHandlers,
  uploads: uploadHandlers,
  users: userHandlers,
  viewAs: viewAsHandlers,
  webhooks: webhookHandlers,
  deliveries: deliveryHandlers,
}
