import { onTestFinished } from 'vitest'
import type { Endpoints } from '#contract/endpoints.ts'
import { examples } from '#contract/examples.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '../ids.ts'
import { createPasswordLink } from '../modules/auth/create-password-link.ts'
import { offerPasskey } from '../modules/passkeys/passkeys.service.ts'
import { findStaff } from '../modules/staff/staff.repository.ts'
import { buildPasskey, createAuthenticator } from './authenticator.ts'
import {
  buildApiKey,
  buildBooking,
  buildClosure,
  buildCompany,
  buildDelivery,
  buildFailedJob,
  buildFeature,
  buildLocation,
  buildMail,
  buildPod,
  buildRolePreset,
  buildSecondFactor,
  buildSeries,
  buildStaff,
  buildUser,
  TEST_PASSWORD,
  toCode,
} from './factories.ts'
import type { useTestApp } from './test-app.ts'

type TestApp = ReturnType<typeof useTestApp>

const multipart = (bytes: Buffer) => {
  const boundary = 'boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="images"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A booking that is running at TEST_NOW, which is 11:00 at the pods. */
const running = {
  start_time: new Date('2026-11-21T10:30:00.000Z'),
  end_time: new Date('2026-11-21T12:00:00.000Z'),
  status: 'Processing',
} as const

export type SampleRequest = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

const FIRST_VERSION = { 'if-match': '"1"' }

/** Returns a request to the path of a record. */
async function toRecord(
  built: Promise<{ id: string }>,
  rest: Omit<SampleRequest, 'params'> = {},
): Promise<SampleRequest> {
  return { params: { id: (await built).id }, ...rest }
}

const closing = { starts: '2026-11-23T09:00:00.000Z', reason: 'Broken lock' }

type Writing = {
  [Domain in keyof Endpoints]: {
    [Name in keyof Endpoints[Domain] & string]: Endpoints[Domain][Name] extends { method: 'GET' }
      ? never
      : `${Domain}.${Name}`
  }[keyof Endpoints[Domain] & string]
}[keyof Endpoints]

export async function findTemplateId(test: TestApp): Promise<string> {
  const template = test.db.selectFrom('message_templates').select('id').where('kind', '=', 'booked')
  return (await template.executeTakeFirstOrThrow()).id
}

/** Returns the staff member with a session, the newest one when there are several. */
async function findSignedIn(test: TestApp): Promise<string> {
  const sessions = test.db.selectFrom('sessions').select('staff_id').orderBy('staff_id', 'desc')
  return (await sessions.executeTakeFirstOrThrow()).staff_id
}

/** Endpoints that have no sample although their method is not GET, and why. */
export const withoutSample = {
  'series.preview': 'stores nothing',
  'series.previewUpdate': 'stores nothing',
  'bookingActions.previewMove': 'stores nothing',
  'closures.preview': 'stores nothing',
  'closures.export': 'stores only that it was downloaded',
  'messages.preview': 'stores nothing',
  'auth.verifyPage': 'stores nothing',
  'auth.readPasswordLink': 'stores nothing',
  'live.edit': 'stores nothing',
  'auth.requestPasswordLink': 'leaves the link and its record to a job',
  'auth.startPasskey': 'stores only a challenge, for minutes',
  'passkeys.createOptions': 'stores only a challenge, for minutes',
  'secondFactors.create': 'stores a key that means nothing until it is confirmed',
  'audit.import': 'needs an archive, see archive.test.ts',
} as const

/**
 * Returns a request for each endpoint that writes, by its name, with records of its own. For tests that walk through
 * all of them: a new endpoint needs an entry here.
 */
export function sampleRequests(test: TestApp): Readonly<Record<string, () => Promise<SampleRequest>>> {
  const buildFailed = () => buildFailedJob(test.db, 'mail', { mailId: createId() })
  const samples: Record<Exclude<Writing, keyof typeof withoutSample>, () => Promise<SampleRequest>> = {
    'auth.login': async () => ({ body: { email: (await buildStaff(test.db)).email, password: TEST_PASSWORD } }),
    'auth.signInWithCode': async () => {
      const staff = await buildStaff(test.db)
      const { key } = await buildSecondFactor(test.db, staff.id)
      const login = { email: staff.email, password: TEST_PASSWORD }
      const { challenge } = (await test.request(routes.auth.login, { body: login })).body
      return { body: { challenge, code: toCode(key, test.clock.now()) } }
    },
    'audit.undo': async () => {
      const { token } = await test.signIn()
      const params = { id: (await buildFeature(test.db)).id }
      const { headers } = await test.request(routes.features.block, { token, params })
      return { params: { id: String(headers['x-change-id']) } }
    },
    'audit.restore': () =>
      toRecord(buildFeature(test.db, { deleted_at: test.clock.now() }), { body: { entity: 'feature' } }),
    'auth.signInWithPasskey': async () => {
      const { authenticator } = await buildPasskey(test.db, (await buildStaff(test.db)).id)
      const { body: options } = await test.request(routes.auth.startPasskey)
      return { body: { challenge: options.challenge, credential: authenticator.sign(options) } }
    },
    'passkeys.create': async () => {
      const staff = await findStaff(test.db, await findSignedIn(test))
      if (!staff) throw new Error('Nobody is signed in')
      // The user agent of requests that are injected without one.
      const options = await offerPasskey(test.context, { staff }, 'lightMyRequest')
      return { body: { challenge: options.challenge, credential: createAuthenticator().make(options) } }
    },
    'passkeys.update': async () => ({
      params: { id: (await buildPasskey(test.db, await findSignedIn(test)))._id },
      body: { name: 'Phone' },
    }),
    'passkeys.delete': async () => ({
      params: { id: (await buildPasskey(test.db, await findSignedIn(test)))._id },
    }),
    'secondFactors.confirm': async () => {
      const { key } = await buildSecondFactor(test.db, await findSignedIn(test), { confirmed_at: null })
      return { body: { code: toCode(key, test.clock.now()) } }
    },
    'secondFactors.createRecoveryCodes': async () => {
      await buildSecondFactor(test.db, await findSignedIn(test))
      return {}
    },
    'secondFactors.delete': async () => {
      await buildSecondFactor(test.db, await findSignedIn(test))
      return {}
    },
    'secondFactors.setRequirement': async () => {
      await buildSecondFactor(test.db, await findSignedIn(test))
      return { body: { isRequired: true } }
    },
    'auth.signOut': async () => ({}),
    'auth.changePassword': async () => ({
      body: { currentPassword: TEST_PASSWORD, newPassword: 'another sound password' },
    }),
    'auth.usePasswordLink': async () => {
      const link = await createPasswordLink(test.context, test.db, (await buildStaff(test.db)).id)
      return { body: { token: link.split('#')[1], newPassword: 'another sound password' } }
    },
    'account.confirm': async () => ({ body: { password: TEST_PASSWORD } }),
    'account.update': async () => ({ body: { firstname: 'Other' }, headers: FIRST_VERSION }),
    'account.endSession': async () => {
      // Another session of the signed-in staff member.
      const staff_id = await findSignedIn(test)
      const row = { staff_id, expires_at: new Date('2026-12-01T00:00:00Z'), token_hash: Buffer.from('another') }
      return { params: await test.db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow() }
    },
    'account.endOtherSessions': async () => ({}),
    'features.create': async () => ({ body: { name: 'Wi-Fi', icon: 'wifi' } }),
    'features.update': () => toRecord(buildFeature(test.db), { body: { name: 'Internet' } }),
    'features.block': () => toRecord(buildFeature(test.db)),
    'features.unblock': () => toRecord(buildFeature(test.db, { is_blocked: true })),
    'features.blockSingular': () => toRecord(buildFeature(test.db)),
    'features.unblockSingular': () => toRecord(buildFeature(test.db, { is_blocked: true })),
    'features.delete': () => toRecord(buildFeature(test.db)),
    'features.reorder': async () => {
      const [first, last] = [await buildFeature(test.db), await buildFeature(test.db)]
      return {
        body: [
          { id: last.id, order: 0 },
          { id: first.id, order: 1 },
        ],
      }
    },
    'locations.create': async () => ({
      body: { name: 'Nest', Street: '1 Road', city: 'Cape Town', state: 'WC', zip: '8001', country_code: 'ZA' },
    }),
    'locations.update': async () =>
      toRecord(buildLocation(test.db), { body: (await samples['locations.create']()).body }),
    'locations.block': () => toRecord(buildLocation(test.db)),
    'locations.unblock': () => toRecord(buildLocation(test.db, { is_blocked: true })),
    'locations.delete': () => toRecord(buildLocation(test.db)),
    'pods.create': async () => ({
      body: {
        title: 'Nest',
        description: 'd',
        direction: 'https://maps.example.com',
        location: (await buildLocation(test.db)).id,
        features: [(await buildFeature(test.db)).id],
        images: [{ public_id: 'a', url: 'https://images.example.com/a.jpg' }],
        booking_requirements: 'b',
        availability: 'a',
        cancellation_policy: 'c',
        safety_and_property: 's',
        UserId: 'u',
        deviceId: 'd',
        serial: 's',
        password: 'secret of the door',
        email: 'host@example.com',
        rate: 2,
        capacity: 4,
        bufferMinutes: 15,
        category: '',
        timeSlot: '',
        tags: '',
        productId: '',
        isAvailable: true,
      },
    }),
    'pods.update': async () => toRecord(buildPod(test.db), { body: (await samples['pods.create']()).body }),
    'pods.block': () => toRecord(buildPod(test.db)),
    'pods.unblock': () => toRecord(buildPod(test.db, { is_blocked: true })),
    'pods.delete': () => toRecord(buildPod(test.db)),
    'uploads.create': async () => multipart(PNG),
    'bookings.create': async () => ({
      params: { podId: (await buildPod(test.db)).id },
      body: {
        bookingPurpose: 'meeting',
        bookingDate: '2026-11-23',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
      },
    }),
    'bookings.createFor': async () => ({
      body: { ...examples.bookings.createFor.body, podId: (await buildPod(test.db)).id, for: { kind: 'me' } },
    }),
    'bookings.rebook': async () =>
      toRecord(buildBooking(test.db), {
        body: { version: 1, for: { kind: 'customer', userId: (await buildUser(test.db)).id } },
      }),
    'closures.create': async () => ({ body: { ...closing, podIds: [(await buildPod(test.db)).id] } }),
    'closures.update': () => toRecord(buildClosure(test.db), { headers: FIRST_VERSION, body: closing }),
    'closures.delete': () => toRecord(buildClosure(test.db), { headers: FIRST_VERSION }),
    'hours.update': async () => ({
      headers: FIRST_VERSION,
      query: { pod: (await buildPod(test.db)).id },
      body: { week: [{ weekday: 7, spans: [] }], exceptions: [] },
    }),
    'bookings.cancel': () => toRecord(buildBooking(test.db)),
    'bookingActions.move': async () => {
      const booking = await buildBooking(test.db)
      return {
        params: { id: booking.id },
        body: { ...examples.bookingActions.move.body, podId: booking.pod_id },
      }
    },
    'bookingActions.cancel': () =>
      toRecord(buildBooking(test.db), { body: { reason: 'The customer asked', version: 1 } }),
    'bookingActions.reinstate': () =>
      toRecord(buildBooking(test.db, { status: 'Cancelled', cancelled_at: test.clock.now() }), {
        body: { version: 1 },
      }),
    'bookingActions.checkIn': () => toRecord(buildBooking(test.db, running), { body: { method: 'staff', version: 1 } }),
    'bookingActions.undoCheckIn': async () => {
      const checkedIn = { ...running, checked_in_at: test.clock.now(), checked_in_method: 'staff' } as const
      return { params: { id: (await buildBooking(test.db, checkedIn)).id }, headers: FIRST_VERSION }
    },
    'bookingActions.noShow': () => toRecord(buildBooking(test.db, running), { body: { version: 1 } }),
    'bookingActions.end': () => toRecord(buildBooking(test.db, running), { body: { version: 1 } }),
    'bookingActions.note': () => toRecord(buildBooking(test.db), { body: examples.bookingActions.note.body }),
    'bookingActions.checkInByCode': async () => ({ body: { code: (await buildBooking(test.db, running)).id } }),
    'bookingActions.setPolicy': async () => ({
      body: examples.bookingActions.setPolicy.body,
      headers: { 'if-match': '*' },
    }),
    'bookingActions.setLocationPolicy': () =>
      toRecord(buildLocation(test.db), {
        body: examples.bookingActions.setLocationPolicy.body,
        headers: FIRST_VERSION,
      }),
    'bookingActions.setNoShowMinutes': async () => {
      await buildLocation(test.db)
      return { body: examples.bookingActions.setNoShowMinutes.body }
    },
    'users.block': () => toRecord(buildUser(test.db)),
    'users.unblock': () => toRecord(buildUser(test.db, { is_blocked: true })),
    'users.update': () => toRecord(buildUser(test.db), { body: examples.users.update.body, headers: FIRST_VERSION }),
    'users.setNote': () =>
      toRecord(buildUser(test.db), { body: { note: 'Prefers a quiet pod' }, headers: FIRST_VERSION }),
    'users.delete': () => toRecord(buildUser(test.db)),
    'users.erase': () => toRecord(buildUser(test.db, { deleted_at: new Date() })),
    'staff.create': async () => ({
      body: { firstname: 'Lerato', email: 'lerato@example.com', password: 'a sound long password', auth_page: [1] },
    }),
    'staff.update': () => toRecord(buildStaff(test.db), { body: { firstname: 'Other' } }),
    'staff.block': () => toRecord(buildStaff(test.db)),
    'staff.unblock': () => toRecord(buildStaff(test.db, { is_blocked: true })),
    'staff.delete': () => toRecord(buildStaff(test.db)),
    'staff.resetSecondFactor': async () => {
      const { id } = await buildStaff(test.db)
      await buildSecondFactor(test.db, id)
      return { params: { id } }
    },
    'staff.createPasswordLink': () => toRecord(buildStaff(test.db)),
    'rolePresets.create': async () => ({ body: { name: 'Night shift', auth_page: [6], viewOnlyPages: [6] } }),
    'rolePresets.update': async () =>
      toRecord(buildRolePreset(test.db), {
        body: (await samples['rolePresets.create']()).body,
        headers: FIRST_VERSION,
      }),
    'rolePresets.delete': () => toRecord(buildRolePreset(test.db), { headers: FIRST_VERSION }),
    'viewAs.start': () => toRecord(buildStaff(test.db)),
    'viewAs.stop': async () => {
      const viewed_until = new Date(test.clock.now().getTime() + 60_000)
      const view = { viewed_staff_id: (await buildStaff(test.db)).id, viewed_until }
      await test.db.updateTable('sessions').set(view).execute()
      return {}
    },
    'pricing.setRate': async () => ({ body: { rate: 3 } }),
    'mails.retry': async () => {
      const { sendMail } = test.context
      onTestFinished(() => {
        test.context.sendMail = sendMail
      })
      test.context.sendMail = async () => '250 OK'
      return { params: { id: (await buildMail(test.db, { state: 'failed' })).id } }
    },
    'messages.setTemplate': async () => ({
      params: { id: await findTemplateId(test) },
      body: { isEnabled: false },
      headers: FIRST_VERSION,
    }),
    'messages.setReminder': () =>
      toRecord(buildLocation(test.db), { body: { reminderHours: 24 }, headers: FIRST_VERSION }),
    'messages.setReminders': async () => {
      await buildLocation(test.db)
      return { body: { reminderHours: 24 } }
    },
    'messages.sendAgain': () => toRecord(buildBooking(test.db)),
    'webhooks.create': async () => ({ body: { url: 'https://example.com/hook', events: ['booking.*'] } }),
    'webhooks.update': async () => ({
      params: { id: (await buildDelivery(test.db)).webhook_id },
      body: { isEnabled: false },
      headers: FIRST_VERSION,
    }),
    'webhooks.delete': async () => ({
      params: { id: (await buildDelivery(test.db)).webhook_id },
      headers: FIRST_VERSION,
    }),
    'apiKeys.create': async () => ({ body: { name: 'Door hardware', auth_page: [6], expiresOn: null } }),
    'apiKeys.update': () => toRecord(buildApiKey(test.db), { body: { name: 'Doors' }, headers: FIRST_VERSION }),
    'apiKeys.revoke': () => toRecord(buildApiKey(test.db), { headers: FIRST_VERSION }),
    'deliveries.replay': () => toRecord(buildDelivery(test.db)),
    'failedJobs.retry': async () => ({ params: { id: await buildFailed() } }),
    'failedJobs.retrySeveral': async () => ({ body: { ids: [await buildFailed()] } }),
    'failedJobs.dismiss': async () => ({ body: { ids: [await buildFailed()] } }),
    'pricing.setDiscount': async () => ({ body: { discount: 15 } }),
    'series.create': async () => ({
      body: {
        podId: (await buildPod(test.db)).id,
        bookingPurpose: 'meeting',
        for: { kind: 'me' },
        bookingDate: '2026-11-23',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        repeats: { until: '2026-11-23' },
      },
    }),
    'series.update': async () => {
      const { series_id, start_time } = await buildSeries(test.db)
      const body = { endTime: new Date(start_time.getTime() + 1_800_000).toISOString() }
      return { params: { id: series_id ?? '' }, query: { scope: 'all' }, body, headers: FIRST_VERSION }
    },
    'series.cancel': async () => {
      const { series_id } = await buildSeries(test.db)
      return { params: { id: series_id ?? '' }, query: { scope: 'all' }, headers: FIRST_VERSION }
    },
    'companies.create': async () => ({ body: examples.companies.create.body }),
    'companies.update': async () =>
      toRecord(buildCompany(test.db), { body: (await samples['companies.create']()).body, headers: FIRST_VERSION }),
    'companies.delete': () => toRecord(buildCompany(test.db), { headers: FIRST_VERSION }),
  }
  return samples
}
