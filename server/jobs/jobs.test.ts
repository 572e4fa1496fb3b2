import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { listPartitions, makePartitions, partitionedTables } from '#server/db/partitions.ts'
import { createId } from '#server/ids.ts'
import { WEBHOOK_JOB } from '#server/modules/webhooks/webhooks.service.ts'
import { buildBooking } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { jobKinds, startJobs } from './jobs.ts'
import { enqueueJob } from './queue.ts'

const test = useTestApp({}, { isOwn: true })

it('jobs advance bookings, delete expired sessions and old sign-in addresses, and stop on request', async () => {
  const booking = await buildBooking(test.db)
  const { _id: staff_id } = await test.signIn()
  const kept = Buffer.alloc(32, 1)
  const addresses = [
    { staff_id, address_hash: Buffer.alloc(32), last_signed_in_at: new Date('2026-10-23T07:00:00.000Z') },
    { staff_id, address_hash: kept, last_signed_in_at: new Date('2026-10-24T07:00:00.000Z') },
  ]
  await test.db.insertInto('sign_in_addresses').values(addresses).execute()
  test.clock.set('2026-11-23T07:00:00.000Z')
  const live = await test.signIn()
  const failures: unknown[] = []
  const log = { info: () => undefined, error: (details: object) => failures.push(details) }
  const stop = await startJobs(test.context, log, test.database.notifications)
  onTestFinished(stop)
  const read = async () => ({
    addresses: await test.db.selectFrom('sign_in_addresses').select('address_hash').execute(),
    sessions: (await test.db.selectFrom('sessions').select('staff_id').execute()).map(({ staff_id }) => staff_id),
    status: (await test.db.selectFrom('bookings').select('status').where('id', '=', booking.id).executeTakeFirst())
      ?.status,
  })
  await expect
    .poll(read, { timeout: 10_000 })
    .toEqual({ addresses: [{ address_hash: kept }], sessions: [live._id], status: 'Processing' })
  await stop()
  expect(failures).toEqual([])
})

it('a database that is away makes the minutes until a no-show begin anew', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const fail = () => {
    throw new Error('The database is away')
  }
  const db = test.db.withPlugin({ transformQuery: fail, transformResult: fail })
  const context = { ...test.context, db, uptime: { since: new Date(0) } }
  onTestFinished(await startJobs(context, log, test.database.notifications))
  await expect.poll(() => context.uptime.since).toEqual(test.clock.now())
})

it('jobs delete mails and given-up work after ninety days, and finished work after seven', async () => {
  const now = test.clock.now()
  const ago = (days: number) => new Date(now.getTime() - days * DAY)
  const mail = { kind: 'invitation', to_name: '', to_email: '', html: '', text: '', state: 'sent' } as const
  const toMail = (subject: string, created_at: Date) => ({ ...mail, id: createId(), subject, created_at })
  await test.db
    .insertInto('mails')
    .values([toMail('old', ago(90)), toMail('kept', ago(89))])
    .execute()
  const toJob = (key: string, more: object) => ({ kind: 'mail', key, run_at: ago(100), ...more })
  await test.db
    .insertInto('jobs')
    .values([
      toJob('done long ago', { done_at: ago(7) }),
      toJob('done', { done_at: ago(6) }),
      toJob('given up long ago', { dead_at: ago(90) }),
      toJob('given up', { dead_at: ago(89) }),
      toJob('open', {}),
    ])
    .execute()
  for (const kind of ['old mails', 'done jobs']) await jobKinds[kind]?.run(test.context, {} as never) // sweeps ignore the job
  const mails = await test.db.selectFrom('mails').select('subject').execute()
  expect(mails).toEqual([{ subject: 'kept' }])
  const jobs = await test.db.selectFrom('jobs').select('key').where('kind', '=', 'mail').orderBy('key').execute()
  expect(jobs.map(({ key }) => key)).toEqual(['done', 'given up', 'open'])
})

it('jobs create partitions for the coming months, and drop month-old partitions of deliveries', async () => {
  await makePartitions(test.db, test.clock.now())
  test.clock.set('2027-02-28T09:00:00.000Z')
  const failures: unknown[] = []
  const log = { info: () => undefined, error: (details: object) => failures.push(details) }
  const stop = await startJobs(test.context, log, test.database.notifications)
  onTestFinished(stop)
  const read = async () => {
    const [audit, deliveries] = await Promise.all(
      partitionedTables.map(async (table) => (await listPartitions(test.db, table)).map(({ name }) => name)),
    )
    return { audit, deliveries }
  }
  const months = ['2027_02', '2027_03', '2027_04', '2027_05']
  await expect.poll(read, { timeout: 10_000 }).toEqual({
    audit: ['audit_earlier', ...['2026_12', '2027_01', ...months].map((month) => `audit_${month}`)],
    deliveries: ['webhook_deliveries_earlier', ...['2027_01', ...months].map((month) => `webhook_deliveries_${month}`)],
  })
  test.clock.set('2027-03-03T09:00:00.000Z')
  await sql`update jobs set run_at = ${test.clock.now()} where kind in ('partitions', 'old deliveries')`.execute(
    test.db,
  )
  await test.database.notifications.notify('jobs')
  const readEnds = async () => {
    const { audit, deliveries } = await read()
    return [deliveries?.slice(0, 2), audit?.at(-1)]
  }
  await expect
    .poll(readEnds, { timeout: 10_000 })
    .toEqual([['webhook_deliveries_earlier', 'webhook_deliveries_2027_02'], 'audit_2027_06'])
  await stop()
  expect(failures).toEqual([])
})

it('a queued job is announced to every server, and the announcement wakes the workers', async () => {
  const { notifications } = test.database
  // With timers that never fire, the workers do not look for jobs by themselves.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  const starting = startJobs(test.context, { info: () => undefined, error: () => undefined }, notifications)
  vi.useRealTimers()
  onTestFinished(await starting)
  const heard: unknown[] = []
  const stopListening = await notifications.listen('jobs', (payload) => heard.push(payload))
  await enqueueJob(test.db, { kind: 'of a newer release', key: 'a', runAt: test.clock.now() })
  await expect.poll(() => heard).toEqual([''])
  stopListening()
  const key = 'of a deleted delivery'
  await enqueueJob(test.db, { kind: WEBHOOK_JOB, key, payload: { deliveryId: createId() }, runAt: test.clock.now() })
  const readEnd = () => test.db.selectFrom('jobs').select('done_at').where('key', '=', key).executeTakeFirst()
  await expect.poll(readEnd).toEqual({ done_at: expect.any(Date) })
})

it('failed jobs are found by the title that staff see, and by their error', async () => {
  const failed = { run_at: test.clock.now(), dead_at: test.clock.now(), max_tries: 10 }
  await test.db
    .insertInto('jobs')
    .values([
      { kind: 'customer message', key: 'a', last_error: '550 no such person', ...failed },
      { kind: 'backup', key: 'b', last_error: 'The disk is full', ...failed },
    ])
    .execute()
  const { token } = await test.signIn()
  const find = async (search: string) => {
    const { body } = await test.request(routes.failedJobs.list, { token, query: { search } })
    return body.map(({ title }: { title: string }) => title)
  }
  expect(await find('writing customer')).toEqual(['Writing to a customer'])
  expect(await find('DAILY full')).toEqual(['Making the daily backup'])
  expect(await find('550')).toEqual(['Writing to a customer'])
  expect(await find('%')).toEqual([])
})

it('jobs of backups are left to the servers that make some', async () => {
  const now = test.clock.now()
  await enqueueJob(test.db, { kind: 'backup', key: 'backup of today', runAt: now })
  const log = { info: () => undefined, error: () => undefined }
  const stop = await startJobs(test.context, log, test.database.notifications)
  onTestFinished(stop)
  const listDue = async () =>
    (await test.db.selectFrom('jobs').select('kind').where('run_at', '<=', now).where('done_at', 'is', null).execute())
      .map(({ kind }) => kind)
      .sort()
  const listKinds = async () => (await test.db.selectFrom('jobs').select('kind').execute()).map(({ kind }) => kind)
  await test.database.notifications.notify('jobs')
  await expect.poll(listKinds).toEqual(expect.arrayContaining(['no-shows', 'done jobs']))
  // The sweeps that are planned now are done meanwhile, and one more look at the table changes nothing.
  await expect.poll(listDue, { timeout: 10_000 }).toEqual(['backup'])
  await test.database.notifications.notify('jobs')
  await pause(200)
  await stop()
  expect(await listDue()).toEqual(['backup'])
})
