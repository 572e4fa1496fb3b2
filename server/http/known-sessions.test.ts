import { expect, it } from 'vitest'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import type { SignedIn } from '#server/context.ts'
import { createId } from '#server/ids.ts'
import { buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { createKnownSessions, isSameSession } from './known-sessions.ts'

/** A call begins to read while its session is looked up; what it has read counts only for whom the session admits. */

const test = useTestApp()

/** What `work` asks of the database, in the order in which the driver is given it: 'session' or 'other'. */
async function watchOrder(work: () => Promise<unknown>): Promise<string[]> {
  const order: string[] = []
  const { stop } = watchStatements((statement) => {
    order.push(JSON.stringify(statement).includes('token_hash') ? 'session' : 'other')
    return undefined
  })
  await work()
  stop()
  return order
}

const setStaff = (id: string, change: { is_blocked?: boolean; pages?: PageCode[] }) =>
  test.db.updateTable('staff').set(change).where('id', '=', id).execute()

it('reads after the session is known on the first call, and beside it on the next', async () => {
  const { token } = await test.signIn()
  const list = () => test.request(routes.pods.list, { token, query: { page: '1', limit: '10' } })
  expect((await watchOrder(list))[0]).toBe('session')
  const later = await watchOrder(list)
  expect(later[0]).toBe('other')
  expect(later.filter((sent) => sent === 'session')).toHaveLength(1)
})

it('answers nothing that was read for an account that is blocked by now, whose next call reads nothing', async () => {
  await buildPod(test.db, { title: 'Nobody else’s business' })
  const { token, _id } = await test.signIn()
  const list = () => test.request(routes.pods.list, { token, query: { page: '1', limit: '10' } })
  expect((await list()).text).toContain('Nobody else’s business')
  await setStaff(_id, { is_blocked: true })
  const response = await list()
  expect(response.status).toBe(401)
  expect(response.text).not.toContain('business')
  expect(await watchOrder(list)).toEqual(['session'])
})

it('answers nothing that was read for a page which was taken away since', async () => {
  await buildPod(test.db, { title: 'Nobody else’s business' })
  const { token, _id } = await test.signIn()
  const list = () => test.request(routes.pods.list, { token, query: { page: '1', limit: '10' } })
  await list()
  await setStaff(_id, { pages: [1] })
  const response = await list()
  expect(response.status).toBe(403)
  expect(response.text).not.toContain('business')
})

it('reads again for someone whose pages have changed, with the pages that they have', async () => {
  await buildPod(test.db, { title: 'Nobody else’s business' })
  const { token, _id } = await test.signIn()
  const dashboard = () => test.request(routes.dashboard.get, { token, params: { userId: _id } })
  expect((await dashboard()).text).toContain('business')
  await setStaff(_id, { pages: [1] })
  const response = await dashboard()
  expect(response.status).toBe(200)
  expect(response.headers['x-auth-pages']).toBe('1')
  expect(response.text).not.toContain('business')
})

it('says what is wrong with a call that failed beside its session, and that alone', async () => {
  const { token, _id } = await test.signIn()
  const list = (query: Record<string, string>) => test.request(routes.pods.list, { token, query })
  await list({ page: '1', limit: '10' })
  expect((await list({ page: 'x' })).status).toBe(400)
  await setStaff(_id, { is_blocked: true })
  // The failure that nobody waits for any more must not end the process either.
  expect((await list({ page: 'x' })).status).toBe(401)
})

it('changes nothing before the session is known', async () => {
  const { token, _id } = await test.signIn()
  const feature = () =>
    test.request(routes.features.create, { token, body: { name: 'Whiteboard', icon: 'presentation' } })
  const count = async () => (await test.db.selectFrom('features').select('id').execute()).length
  expect((await feature()).status).toBe(201)
  expect(await watchOrder(feature)).toContain('session')
  expect((await watchOrder(feature))[0]).toBe('session')
  const before = await count()
  await setStaff(_id, { is_blocked: true })
  expect((await feature()).status).toBe(401)
  expect(await count()).toBe(before)
})

const session = (n: number, pages: readonly PageCode[] = pageCodes): SignedIn => ({
  tokenHash: Buffer.from([n]),
  staff: { _id: createId(), firstname: 'A', lastname: 'B', email: 'a@example.com', phoneNumber: '', role: 'admin' },
  pages,
})

it('forgets who has not called for longest', () => {
  const known = createKnownSessions(2)
  const [first, second, third] = [session(1), session(2), session(3)]
  for (const each of [first, second, first, third]) known.note(each.tokenHash, each)
  expect(known.guess(second.tokenHash)).toBeUndefined()
  expect(known.guess(first.tokenHash)).toBe(first)
  expect(known.guess(third.tokenHash)).toBe(third)
  known.note(first.tokenHash, undefined)
  expect(known.guess(first.tokenHash)).toBeUndefined()
})

it('takes no session for another that differs in anything', () => {
  const one = session(1)
  expect(isSameSession(one, structuredClone({ ...one, tokenHash: undefined }) as never)).toBe(false)
  expect(isSameSession(one, { ...one, pages: [...one.pages] })).toBe(true)
  expect(isSameSession(one, { ...one, pages: one.pages.slice(1) })).toBe(false)
  expect(isSameSession(one, { ...one, staff: { ...one.staff, role: 'other' } })).toBe(false)
  expect(isSameSession(one, undefined)).toBe(false)
})
