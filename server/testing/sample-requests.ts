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

const closing = { starts: '2026-11-23T09:00:00.000Z', reason: 'Broken lock' }

type Writing = {
  [Domain in keyof Endpoints]: {
    [Name in keyof Endpoints[Domain] & string]: Endpoints[Domain][Name] extends { method: 'GET' }
      ? never
      : `${Domain}.${Name}`
  }[keyof Endpoints[Domain] & string]
}[keyof Endpoints]

async function findTemplateId(test: TestApp): Promise<string> {
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
    'audit.restore': async () => ({
      params: { id: (await buildFeature(test.db, { deleted_at: test.clock.now() })).id },
      body: { entity: 'feature' },
    }),
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
    'account.update': async () => ({ body: { firstname: 'Other' }, headers: { 'if-match': '"1"' } }),
    'account.endSession': async () => {
      // Another session of the signed-in staff member.
      const staff_id = await findSignedIn(test)
      const row = { staff_id, expires_at: new Date('2026-12-01T00:00:00Z'), token_hash: Buffer.from('another') }
      return { params: await test.db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow() }
    },
    'account.endOtherSessions': async () => ({}),
    'features.create': async () => ({ body: { name: 'Wi-Fi', icon: 'wifi' } }),
    'features.update': async () => ({ params: { id: (await buildFeature(test.db)).id }, body: { name: 'Internet' } }),
    'features.block': async () => ({ params: { id: (await buildFeature(test.db)).id } }),
    'features.unblock': async () => ({ params: { id: (await buildFeature(test.db, { is_blocked: true })).id } }),
    'features.blockSingular': async () => ({ params: { id: (await buildFeature(test.db)).id } }),
    'features.unblockSingular': async () => ({
      params: { id: (await buildFeature(test.db, { is_blocked: true })).id },
    }),
    'features.delete': async () => ({ params: { id: (await buildFeature(test.db)).id } }),
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
    'locations.update': async () => ({
      params: { id: (await buildLocation(test.db)).id },
      body: (await samples['locations.create']()).body,
    }),
    'locations.block': async () => ({ params: { id: (await buildLocation(test.db)).id } }),
    'locations.unblock': async () => ({ params: { id: (await buildLocation(test.db, { is_blocked: true })).id } }),
    'locations.delete': async () => ({ params: { id: (await buildLocation(test.db)).id } }),
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
    'pods.update': async () => ({
      params: { id: (await buildPod(test.db)).id },
      body: (await samples['pods.create']()).body,
    }),
    'pods.block': async () => ({ params: { id: (await buildPod(test.db)).id } }),
    'pods.unblock': async () => ({ params: { id: (await buildPod(test.db, { is_blocked: true })).id } }),
    'pods.delete': async () => ({ params: { id: (await buildPod(test.db)).id } }),
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
    'bookings.rebook': async () => ({
      params: { id: (await buildBooking(test.db)).id },
      body: { version: 1, for: { kind: 'customer', userId: (await buildUser(test.db)).id } },
    }),
    'closures.create': async () => ({ body: { ...closing, podIds: [(await buildPod(test.db)).id] } }),
    'closures.update': async () => ({
      headers: { 'if-match': '1' },
      params: { id: (await buildClosure(test.db)).id },
      body: closing,
    }),
    'closures.delete': async () => ({
      headers: { 'if-match': '1' },
      params: { id: (await buildClosure(test.db)).id },
    }),
    'hours.update': async () => ({
      headers: { 'if-match': '1' },
      query: { pod: (await buildPod(test.db)).id },
      body: { week: [{ weekday: 7, spans: [] }], exceptions: [] },
    }),
    'bookings.cancel': async () => ({ params: { id: (await buildBooking(test.db)).id } }),
    'bookingActions.move': async () => {
      const booking = await buildBooking(test.db)
      return {
        params: { id: booking.id },
        body: { ...examples.bookingActions.move.body, podId: booking.pod_id },
      }
    },
    'bookingActions.cancel': async () => ({
      params: { id: (await buildBooking(test.db)).id },
      body: { reason: 'The customer asked', version: 1 },
    }),
    'bookingActions.reinstate': async () => ({
      params: { id: (await buildBooking(test.db, { status: 'Cancelled', cancelled_at: test.clock.now() })).id },
      body: { version: 1 },
    }),
    'bookingActions.checkIn': async () => ({
      params: { id: (await buildBooking(test.db, running)).id },
      body: { method: 'staff', version: 1 },
    }),
    'bookingActions.undoCheckIn': async () => {
      const checkedIn = { ...running, checked_in_at: test.clock.now(), checked_in_method: 'staff' } as const
      return { params: { id: (await buildBooking(test.db, checkedIn)).id }, headers: { 'if-match': '"1"' } }
    },
    'bookingActions.noShow': async () => ({
      params: { id: (await buildBooking(test.db, running)).id },
      body: { version: 1 },
    }),
    'bookingActions.end': async () => ({
      params: { id: (await buildBooking(test.db, running)).id },
      body: { version: 1 },
    }),
    'bookingActions.note': async () => ({
      params: { id: (await buildBooking(test.db)).id },
      body: examples.bookingActions.note.body,
    }),
    'bookingActions.checkInByCode': async () => ({ body: { code: (await buildBooking(test.db, running)).id } }),
    'bookingActions.setPolicy': async () => ({
      body: examples.bookingActions.setPolicy.body,
      headers: { 'if-match': '*' },
    }),
    'bookingActions.setLocationPolicy': async () => ({
      params: { id: (await buildLocation(test.db)).id },
      body: examples.bookingActions.setLocationPolicy.body,
      headers: { 'if-match': '"1"' },
    }),
    'bookingActions.setNoShowMinutes': async () => {
      await buildLocation(test.db)
      return { body: examples.bookingActions.setNoShowMinutes.body }
    },
    'users.block': async () => ({ params: { id: (await buildUser(test.db)).id } }),
    'users.unblock': async () => ({ params: { id: (await buildUser(test.db, { is_blocked: true })).id } }),
    'users.update': async () => ({
      params: { id: (await buildUser(test.db)).id },
      body: examples.users.update.body,
      headers: { 'if-match': '"1"' },
    }),
    'users.setNote': async () => ({
      params: { id: (await buildUser(test.db)).id },
      body: { note: 'Prefers a quiet pod' },
      headers: { 'if-match': '"1"' },
    }),
    'users.delete': async () => ({ params: { id: (await buildUser(test.db)).id } }),
    'users.erase': async () => ({ params: { id: (await buildUser(test.db, { deleted_at: new Date() })).id } }),
    'staff.create': async () => ({
      body: { firstname: 'Lerato', email: 'lerato@example.com', password: 'a sound long password', auth_page: [1] },
    }),
    'staff.update': async () => ({ params: { id: (await buildStaff(test.db)).id }, body: { firstname: 'Other' } }),
    'staff.block': async () => ({ params: { id: (await buildStaff(test.db)).id } }),
    'staff.unblock': async () => ({ params: { id: (await buildStaff(test.db, { is_blocked: true })).id } }),
    'staff.delete': async () => ({ params: { id: (await buildStaff(test.db)).id } }),
    'staff.resetSecondFactor': async () => {
      const { id } = await buildStaff(test.db)
      await buildSecondFactor(test.db, id)
      return { params: { id } }
    },
    'staff.createPasswordLink': async () => ({ params: { id: (await buildStaff(test.db)).id } }),
    'rolePresets.create': async () => ({ body: { name: 'Night shift', auth_page: [6], viewOnlyPages: [6] } }),
    'rolePresets.update': async () => ({
      params: { id: (await buildRolePreset(test.db)).id },
      body: (await samples['rolePresets.create']()).body,
      headers: { 'if-match': '"1"' },
    }),
    'rolePresets.delete': async () => ({
      params: { id: (await buildRolePreset(test.db)).id },
      headers: { 'if-match': '"1"' },
    }),
    'viewAs.start': async () => ({ params: { id: (await buildStaff(test.db)).id } }),
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
      headers: { 'if-match': '"1"' },
    }),
    'messages.setReminder': async () => ({
      params: { id: (await buildLocation(test.db)).id },
      body: { reminderHours: 24 },
      headers: { 'if-match': '"1"' },
    }),
    'messages.setReminders': async () => {
      await buildLocation(test.db)
      return { body: { reminderHours: 24 } }
    },
    'messages.sendAgain': async () => ({ params: { id: (await buildBooking(test.db)).id } }),
    'webhooks.create': async () => ({ body: { url: 'https://example.com/hook', events: ['booking.*'] } }),
    'webhooks.update': async () => ({
      params: { id: (await buildDelivery(test.db)).webhook_id },
      body: { isEnabled: false },
      headers: { 'if-match': '"1"' },
    }),
    'webhooks.delete': async () => ({
      params: { id: (await buildDelivery(test.db)).webhook_id },
      headers: { 'if-match': '"1"' },
    }),
    'apiKeys.create': async () => ({ body: { name: 'Door hardware', auth_page: [6], expiresOn: null } }),
    'apiKeys.update': async () => ({
      params: { id: (await buildApiKey(test.db)).id },
      body: { name: 'Doors' },
      headers: { 'if-match': '"1"' },
    }),
    'apiKeys.revoke': async () => ({
      params: { id: (await buildApiKey(test.db)).id },
      headers: { 'if-match': '"1"' },
    }),
    'deliveries.replay': async () => ({ params: { id: (await buildDelivery(test.db)).id } }),
    'failedJobs.retry': async () => {
      const job = {
        kind: 'mail',
        key: 'mail 1',
        payload: JSON.stringify({ mailId: createId() }),
        run_at: test.clock.now(),
        dead_at: test.clock.now(),
      }
      return {
        params: { id: (await test.db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()).id },
      }
    },
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
      return { params: { id: series_id ?? '' }, query: { scope: 'all' }, body, headers: { 'if-match': '"1"' } }
    },
    'series.cancel': async () => {
      const { series_id } = await buildSeries(test.db)
      return { params: { id: series_id ?? '' }, query: { scope: 'all' }, headers: { 'if-match': '"1"' } }
    },
    'companies.create': async () => ({ body: examples.companies.create.body }),
    'companies.update': async () => ({
      params: { id: (await buildCompany(test.db)).id },
      body: (await samples['companies.create']()).body,
      headers: { 'if-match': '"1"' },
    }),
    'companies.delete': async () => ({
      params: { id: (await buildCompany(test.db)).id },
      headers: { 'if-match': '"1"' },
    }),
  }
  return samples
}
