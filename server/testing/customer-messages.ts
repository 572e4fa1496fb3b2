import { expect, onTestFinished } from 'vitest'
import { SECOND } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildLocation, buildPod, buildUser } from './factories.ts'
import { useSmtpServer } from './smtp-server.ts'
import { useTestApp } from './test-app.ts'

type Mail = { _id: string; kind: string; state: string; subject: string; toEmail: string }
const silent = { info: () => undefined, error: () => undefined }

/** A booking without its pod and customer. */
export const visit = {
  bookingPurpose: 'meeting',
  bookingDate: '2026-11-23',
  startTime: '2026-11-23T09:00:00.000Z',
  endTime: '2026-11-23T10:00:00.000Z',
}

/** Starts a test app with a mail server, and returns what tests of messages to customers do with them. */
export async function useCustomerMessages() {
  const smtp = await useSmtpServer()
  const test = useTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'pods@example.com' })

  /** Starts the jobs of a server, which look for work when notified. */
  async function runJobs() {
    onTestFinished(await startJobs(test.context, silent, test.database.notifications))
  }

  const readJobs = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'customer message').execute()

  /** Waits until all due message jobs are done. */
  async function finish() {
    await test.database.notifications.notify('jobs')
    const isLeft = async () =>
      (await readJobs()).some(({ done_at, run_at }) => done_at === null && run_at <= test.clock.now())
    await expect.poll(isLeft).toBe(false)
  }

  /** Moves the clock past the pause after a change. Waits for running jobs first, as their leases would expire. */
  async function settle(ms = 31 * SECOND) {
    await finish()
    test.clock.set(new Date(test.clock.now().getTime() + ms))
    await finish()
  }

  /** Signs in again, as the test's clock passes the hour that sessions last. */
  const signedIn = async (given: Given) => ({
    ...given,
    token: (await test.signIn()).token,
  })

  /** Runs the sweep of reminders, and waits until the reminders that it found are written. */
  async function remind(at: string) {
    test.clock.set(at)
    const sweep = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'reminders').executeTakeFirst()
    const isPlanned = async () => ((await sweep())?.run_at.getTime() ?? 0) > test.clock.now().getTime()
    await expect
      .poll(async () => {
        await test.database.notifications.notify('jobs')
        return isPlanned()
      })
      .toBe(true)
    await settle(0)
  }

  async function listMails(query: Record<string, string> = {}) {
    const { token } = await test.signIn([8])
    const response = await test.request(routes.mails.list, {
      token,
      query: { sort: 'createdAt', limit: '100', ...query },
    })
    return response.body as Mail[]
  }
  const listKinds = async () => (await listMails()).map(({ kind, state }) => `${kind} ${state}`)

  async function readMail(id: string) {
    const { token } = await test.signIn([8])
    return (await test.request(routes.mails.get, { token, params: { id } })).body as {
      html: string
      text: string
      calendar: string | null
    }
  }

  async function setUp({ email = 'johan@example.com', ...overrides }: Parameters<typeof buildUser>[1] = {}) {
    const { token, _id } = await test.signIn()
    const user = await buildUser(test.db, { firstname: 'Johan', lastname: 'Botha', email, ...overrides })
    const location = await buildLocation(test.db, { name: 'Waterfront' })
    const pod = await buildPod(test.db, { title: 'Nest', location_id: location.id })
    return { token, staffId: _id, user, pod, location }
  }

  type Given = Awaited<ReturnType<typeof setUp>>

  async function book({ token, user, pod }: Pick<Given, 'token' | 'user' | 'pod'>, body: object = {}) {
    const response = await test.request(routes.bookings.createFor, {
      token,
      body: {
        podId: pod.id,
        ...visit,
        for: { kind: 'customer', userId: user.id },
        ...body,
      },
    })
    expect([response.status, response.text]).toEqual([201, response.text])
    return response.body.booking as { _id: string; version: number }
  }

  async function move(
    { token, pod }: Pick<Given, 'token' | 'pod'>,
    id: string,
    hour: number,
    date = '2026-11-23',
    hours = 1,
  ) {
    const at = (clock: number) => `${date}T${String(clock).padStart(2, '0')}:00:00.000Z`
    const response = await test.request(routes.bookingActions.move, {
      token,
      params: { id },
      body: {
        podId: pod.id,
        bookingDate: date,
        startTime: at(hour),
        endTime: at(hour + hours),
        version: await versionOf(id),
      },
    })
    expect([response.status, response.text]).toEqual([200, response.text])
    return response
  }

  async function versionOf(id: string) {
    return (await test.db.selectFrom('bookings').select('version').where('id', '=', id).executeTakeFirstOrThrow())
      .version
  }

  async function cancel({ token }: Pick<Given, 'token'>, id: string) {
    const body = { reason: 'The customer asked', version: await versionOf(id) }
    const response = await test.request(routes.bookingActions.cancel, { token, params: { id }, body })
    expect(response.status).toBe(200)
    return response
  }

  return {
    test,
    smtp,
    runJobs,
    readJobs,
    finish,
    settle,
    remind,
    signedIn,
    listMails,
    listKinds,
    readMail,
    setUp,
    book,
    move,
    versionOf,
    cancel,
  }
}

/** Returns the lines of a calendar file, without the breaks of long ones. */
export const lines = (calendar: string | null | undefined) => (calendar ?? '').replaceAll('\r\n ', '').split('\r\n')
