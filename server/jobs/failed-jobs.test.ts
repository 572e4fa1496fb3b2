import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildDelivery, buildFailedJob, buildLocation, buildMail } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

const buildFailed = (kind: string, payload: Record<string, string>) => buildFailedJob(test.db, kind, payload)
const listFailed = async (token: string) => (await test.request(routes.failedJobs.list, { token })).body
const readState = async (id: string) =>
  (await test.db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

describe('work that was given up', () => {
  it('is listed with the mail or delivery that it concerns', async () => {
    const { token } = await test.signIn()
    const mail = await buildMail(test.db, { state: 'failed' })
    const groupId = createId()
    const ofGroup = (subject: string, state: 'failed' | 'sent', created_at: string) =>
      buildMail(test.db, { group_id: groupId, subject, state, created_at: new Date(created_at) })
    await ofGroup('Earlier', 'failed', '2026-11-20T09:00:00.000Z')
    await ofGroup('Latest', 'failed', '2026-11-21T09:00:00.000Z')
    await ofGroup('Sent', 'sent', '2026-11-22T09:00:00.000Z')
    const delivery = await buildDelivery(test.db, { state: 'failed' })
    const ids = {
      mail: await buildFailed('mail', { mailId: mail.id }),
      message: await buildFailed('customer message', { groupId }),
      webhook: await buildFailed('webhook', { deliveryId: delivery.id }),
      deleted: await buildFailed('webhook', { deliveryId: createId() }),
      backup: await buildFailed('backup', { mailId: 'malformed' }),
    }
    const rows = await listFailed(token)
    const find = (id: string) => rows.find((row: { _id: string }) => row._id === id)
    expect(find(ids.mail)).toMatchObject({ mail: { _id: mail.id, toName: mail.to_name }, delivery: null })
    expect(find(ids.message)).toMatchObject({ title: 'Writing to a customer', mail: { subject: 'Latest' } })
    expect(find(ids.webhook)).toMatchObject({ mail: null, delivery: { _id: delivery.id, event: 'booking.created' } })
    expect(find(ids.deleted)).toMatchObject({ mail: null, delivery: null })
    expect(find(ids.backup)).toMatchObject({ mail: null, delivery: null })
  })

  it('is tried again or dismissed, several at once, with a change in the history for each', async () => {
    const { token } = await test.signIn()
    const mails = await Promise.all([1, 2, 3].map(() => buildMail(test.db, { state: 'failed' })))
    const ids: string[] = []
    for (const mail of mails) ids.push(await buildFailed('mail', { mailId: mail.id }))
    const [first = '', second = '', third = ''] = ids
    const several = { token, body: { ids: [first, second, createId(), 'malformed'] } }
    const retried = await test.request(routes.failedJobs.retrySeveral, several)
    expect(retried.body).toEqual({ message: '2 are tried again', count: 2 })
    expect(await Promise.all(mails.map(({ id }) => readState(id)))).toEqual(['queued', 'queued', 'failed'])
    expect((await test.request(routes.failedJobs.retrySeveral, several)).status).toBe(404)

    const dismissed = await test.request(routes.failedJobs.dismiss, { token, body: { ids: [first, third] } })
    expect(dismissed.body).toEqual({ message: 'Dismissed', count: 1 })
    expect(await listFailed(token)).toEqual([])
    expect(await readState(mails[2]?.id ?? '')).toBe('failed')
    const open = await test.db.selectFrom('jobs').select('id').where('dead_at', 'is', null).execute()
    expect(open.map(({ id }) => id).sort()).toEqual([first, second].sort())
    const changes = await test.db
      .selectFrom('audit')
      .select(['action', 'entity_id'])
      .where('entity', '=', 'job')
      .execute()
    expect(changes.map(({ action, entity_id }) => `${action} ${entity_id}`).sort()).toEqual(
      [`dismiss ${third}`, `retry ${first}`, `retry ${second}`].sort(),
    )
  })

  it.each([{ body: {} }, { body: { ids: [] } }, { body: { ids: Array(101).fill('a') } }])(
    'is named by one to a hundred ids',
    async ({ body }) => {
      const { token } = await test.signIn()
      for (const route of [routes.failedJobs.retrySeveral, routes.failedJobs.dismiss]) {
        const { status, body: error } = await test.request(route, { token, body })
        expect([status, error.errors[0].path]).toEqual([400, 'ids'])
      }
    },
  )

  it('is counted among today’s figures, for staff who can see it', async () => {
    const location = await buildLocation(test.db)
    await buildFailed('backup', {})
    await buildFailed('backup', {})
    const count = async (...access: Parameters<typeof test.signIn>) =>
      (await test.request(routes.dashboard.today, { token: (await test.signIn(...access)).token })).body.failedJobs
    expect(await count([PAGE.dashboard, PAGE.staff])).toBe(2)
    expect(await count([PAGE.dashboard, PAGE.bookings])).toBeNull()
    expect(await count([PAGE.dashboard, PAGE.staff], { location_ids: [location.id] })).toBeNull()
  })
})
