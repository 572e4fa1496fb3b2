import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Table } from '../db/tables.ts'
import { createId } from '../ids.ts'
import { buildPasskey } from './authenticator.ts'
import {
  buildApiKey,
  buildBooking,
  buildClosure,
  buildCompany,
  buildDelivery,
  buildFeature,
  buildLocation,
  buildMail,
  buildPod,
  buildRolePreset,
  buildSeries,
  buildStaff,
  buildTransaction,
  buildUser,
} from './factories.ts'
import { findTemplateId, type SampleRequest, sampleRequests } from './sample-requests.ts'
import type { useTestApp } from './test-app.ts'

/** A request that succeeds for each endpoint, with the records that it names. */

export const allEndpoints = Object.entries(endpoints).flatMap(([domain, group]) =>
  Object.entries(group).map(([name, endpoint]) => ({
    domain,
    name: `${domain}.${name}`,
    endpoint: endpoint as Endpoint,
  })),
)

export type NamedEndpoint = (typeof allEndpoints)[number]

export type BuiltKind = keyof ReturnType<typeof soundRequests>['builders']

/** The kind of record that a path names: by its endpoint, else by its domain. */
const pathKinds = {
  account: 'session',
  passkeys: 'passkey',
  'audit.undo': 'change',
  'audit.restore': 'feature',
  bookingActions: 'booking',
  'bookingActions.setLocationPolicy': 'location',
  bookings: 'booking',
  'bookings.availability': 'pod',
  'bookings.create': 'pod',
  closures: 'closure',
  companies: 'company',
  'dashboard.get': 'staff',
  deliveries: 'delivery',
  failedJobs: 'job',
  features: 'feature',
  locations: 'location',
  mails: 'mail',
  messages: 'template',
  'messages.sendAgain': 'booking',
  'messages.setReminder': 'location',
  pods: 'pod',
  series: 'series',
  staff: 'staff',
  users: 'user',
  webhooks: 'webhook',
  apiKeys: 'apiKey',
  rolePresets: 'rolePreset',
  'viewAs.start': 'staff',
} as const satisfies Record<string, BuiltKind>

export const kindOf = ({ name, domain }: Pick<NamedEndpoint, 'name' | 'domain'>): BuiltKind | undefined => {
  const kinds: Partial<Record<string, BuiltKind>> = pathKinds
  return kinds[name] ?? kinds[domain]
}

/** The kinds whose records are only marked as deleted. */
export const deletable = {
  feature: 'features',
  location: 'locations',
  pod: 'pods',
  user: 'users',
  staff: 'staff',
  company: 'companies',
  webhook: 'webhooks',
  rolePreset: 'role_presets',
} as const satisfies Record<string, Table>

export const closing = { starts: '2026-11-23T09:00:00.000Z', reason: 'Painting' }

export const day = { startTime: '2026-11-23T09:00:00.000Z', endTime: '2026-11-23T10:00:00.000Z' }

export function soundRequests(test: ReturnType<typeof useTestApp>) {
  const samples = sampleRequests(test)

  const builders = {
    feature: async () => (await buildFeature(test.db)).id,
    location: async () => (await buildLocation(test.db)).id,
    pod: async () => (await buildPod(test.db)).id,
    booking: async () => (await buildBooking(test.db)).id,
    user: async () => (await buildUser(test.db)).id,
    staff: async () => (await buildStaff(test.db)).id,
    company: async () => (await buildCompany(test.db)).id,
    series: async () => (await buildSeries(test.db)).series_id ?? '',
    closure: async () => (await buildClosure(test.db)).id,
    mail: async () => (await buildMail(test.db, { state: 'failed' })).id,
    apiKey: async () => (await buildApiKey(test.db)).id,
    rolePreset: async () => (await buildRolePreset(test.db)).id,
    webhook: async () => (await buildDelivery(test.db)).webhook_id,
    delivery: async () => (await buildDelivery(test.db)).id,
    transaction: async () => (await buildTransaction(test.db)).id,
    template: () => findTemplateId(test),
    job: async () => {
      const job = { kind: 'mail', key: createId(), run_at: test.clock.now(), dead_at: test.clock.now() }
      return (await test.db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()).id
    },
    session: async () => {
      const { id: staff_id } = await buildStaff(test.db)
      const row = { staff_id, expires_at: new Date('2026-12-01T00:00:00Z'), token_hash: Buffer.from(createId()) }
      return (await test.db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    passkey: async () => (await buildPasskey(test.db, (await buildStaff(test.db)).id))._id,
    change: async () => {
      const row = {
        id: createId(),
        at: test.clock.now(),
        actor_kind: 'system',
        action: 'sign-in',
        entity: 'staff',
      } as const
      await test.db
        .insertInto('audit')
        .values({ ...row, label: 'Thandi Nkosi' })
        .execute()
      return row.id
    },
  }

  /** Requests for endpoints that have no sample and need more than an id. */
  const byHand: Partial<Record<string, (staffId: string) => Promise<SampleRequest>>> = {
    'audit.history': async () => ({ query: { entity: 'pod' } }),
    'auth.verifyPage': async (staffId) => ({ body: { id: staffId, auth_page: 1 } }),
    'bookings.availability': async () => ({
      params: { podId: await builders.pod() },
      query: { booking_date: '2026-11-23' },
    }),
    'bookingActions.previewMove': async () => ({
      params: { id: await builders.booking() },
      body: { podId: await builders.pod(), bookingDate: '2026-11-23', ...day },
    }),
    'closures.preview': async () => ({
      body: { ...closing, podIds: [await builders.pod()] },
    }),
    'closures.export': async () => ({ body: { podIds: [await builders.pod()] } }),
    'hours.get': async () => ({ query: {} }),
    'live.edit': async () => ({ body: { record: { entity: 'pod', id: await builders.pod() } } }),
    'messages.preview': async () => ({
      params: { id: await builders.template() },
      body: { subject: 'Booked', body: 'Welcome' },
    }),
    'series.preview': async () => ({
      body: {
        podId: await builders.pod(),
        bookingPurpose: 'meeting',
        bookingDate: '2026-11-23',
        ...day,
        repeats: { until: '2026-11-23' },
      },
    }),
    'series.previewUpdate': async () => ({
      params: { id: await builders.series() },
      query: { scope: 'all' },
      body: { endTime: '2026-11-23T10:30:00.000Z' },
    }),
  }

  /** Builds a request that succeeds for someone with all pages. */
  async function soundRequest(name: string, kind: BuiltKind, staffId: string): Promise<SampleRequest> {
    const sample = await samples[name]?.()
    if (sample) return sample
    const hand = byHand[name]
    if (hand) return hand(staffId)
    const id = await builders[kind]()
    return { params: { id, podId: id, userId: staffId } }
  }

  async function buildDeleted(kind: keyof typeof deletable): Promise<string> {
    const id = await builders[kind]()
    await test.db.updateTable(deletable[kind]).set({ deleted_at: test.clock.now() }).where('id', '=', id).execute()
    return id
  }

  return { builders, buildDeleted, samples, soundRequest }
}
