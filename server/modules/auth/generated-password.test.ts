import { beforeEach, describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { createFirstStaff } from '#server/start/first-staff.ts'
import { buildSecondFactor, toCode } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createPasswordLink } from './create-password-link.ts'

const production = {
  NODE_ENV: 'production',
  SECRET_KEY: 'a key of some length',
  PUBLIC_URL: 'https://pods.example.com',
  BREACHED_PASSWORDS_URL: 'off',
}
const test = useTestApp(production)
const trial = useTestApp()
const OWN = 'an entirely new one'

const all: { name: string; route: Route }[] = Object.entries(routes).flatMap(([domain, group]) =>
  Object.entries(group).map(([name, route]) => ({ name: `${domain}.${name}`, route })),
)

/** Makes the first staff member, as a start without ADMIN_PASSWORD does. */
async function makeFirst(of = test) {
  const first = await createFirstStaff(of.db, { ...of.context.config, adminPassword: undefined })
  if (!first) throw new Error('There are staff already')
  return first
}
const signIn = async ({ email, password }: { email: string; password: string }, of = test) =>
  (await of.request(routes.auth.login, { body: { email, password } })).body
const open = (token: string, of = test) => of.request(routes.features.list, { token })

describe('the generated password of the first account', () => {
  let first: { email: string; password: string }
  beforeEach(async () => {
    first = await makeFirst()
  })

  it('signs in as before, but only to be replaced', async () => {
    const login = await signIn(first)
    expect(login).toMatchObject({
      mustReplacePassword: true,
      message: 'Signed in',
      auth_page: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    })
    const refused: string[] = []
    for (const { name, route } of all) {
      if (route.access === 'public' || name === 'auth.signOut') continue
      const params = { id: createId(), podId: createId(), userId: createId() }
      const { status, body } = await test.request(route, { token: login.token, params })
      if (status === 403 && body.code === 'new_password_required') refused.push(name)
    }
    const open = all.filter(({ name, route }) => route.access !== 'public' && !refused.includes(name))
    expect(open.map(({ name }) => name)).toEqual(['auth.signOut', 'auth.changePassword'])
    expect((await test.request(routes.auth.signOut, { token: login.token })).status).toBe(200)
  })

  it('is replaced by the person, who then goes on with the same session', async () => {
    const { token } = await signIn(first)
    const change = (newPassword: string) =>
      test.request(routes.auth.changePassword, { token, body: { currentPassword: first.password, newPassword } })
    expect((await change(first.password)).body.errors).toEqual([
      { path: 'newPassword', message: 'Password must be another than the present one' },
    ])
    expect((await open(token)).status).toBe(403)
    expect((await change(OWN)).status).toBe(200)
    expect((await open(token)).status).toBe(200)
    expect(await signIn({ ...first, password: OWN })).not.toHaveProperty('mustReplacePassword')
  })

  it('is replaced by a password link, which does not accept it again', async () => {
    const { token } = await signIn(first)
    const { id } = await test.db.selectFrom('staff').select('id').executeTakeFirstOrThrow()
    const link = new URL(await createPasswordLink(test.context, test.db, id)).hash.slice(1)
    const use = (newPassword: string) =>
      test.request(routes.auth.usePasswordLink, { body: { token: link, newPassword } })
    expect((await use(first.password)).body.errors).toEqual([
      { path: 'newPassword', message: 'Password must be another than the present one' },
    ])
    expect((await open(token)).status).toBe(403)
    expect((await use(OWN)).status).toBe(200)
    expect((await open((await signIn({ ...first, password: OWN })).token)).status).toBe(200)
  })

  it('is replaced by one that a colleague sets', async () => {
    const { id } = await test.db.selectFrom('staff').select('id').executeTakeFirstOrThrow()
    const { token } = await test.signIn()
    const set = await test.request(routes.staff.update, { token, params: { id }, body: { password: OWN } })
    expect(set.status, set.text).toBe(200)
    expect(await signIn({ ...first, password: OWN })).not.toHaveProperty('mustReplacePassword')
  })

  it('is replaced before a second factor is set up, where one is required', async () => {
    await test.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    const { token, ...login } = await signIn(first)
    expect(login).toMatchObject({ mustReplacePassword: true, mustSetUpSecondFactor: true })
    expect((await test.request(routes.secondFactors.create, { token })).body.code).toBe('new_password_required')
    const body = { currentPassword: first.password, newPassword: OWN }
    const changed = (await test.request(routes.auth.changePassword, { token, body })).body
    expect((await open(changed.token)).body.code).toBe('second_factor_setup_required')
    expect((await test.request(routes.secondFactors.create, { token: changed.token })).status).toBe(200)
  })

  it('has to be replaced after a code too', async () => {
    const { id } = await test.db.selectFrom('staff').select('id').executeTakeFirstOrThrow()
    const { key } = await buildSecondFactor(test.db, id)
    const { challenge } = await signIn(first)
    const body = { challenge, code: toCode(key, test.clock.now()) }
    expect((await test.request(routes.auth.signInWithCode, { body })).body).toMatchObject({ mustReplacePassword: true })
  })

  it('leaves no trace of the mark in the history', async () => {
    const { token } = await signIn(first)
    const body = { currentPassword: first.password, newPassword: OWN }
    await test.request(routes.auth.changePassword, { token, body })
    const rows = test.db.selectFrom('audit').select(['before', 'after']).where('action', '=', 'password')
    expect(await rows.execute()).toEqual([
      { before: { password_hash: '********' }, after: { password_hash: '********' } },
    ])
  })
})

it('need not be replaced when the operator has set it in ADMIN_PASSWORD', async () => {
  const given = { email: 'thandi@example.com', password: 'harbour lamp 2026 x' }
  await createFirstStaff(test.db, { ...test.context.config, adminEmail: given.email, adminPassword: given.password })
  const login = await signIn(given)
  expect(login).not.toHaveProperty('mustReplacePassword')
  expect((await open(login.token)).status).toBe(200)
})

it('need not be replaced in a first look, outside production', async () => {
  const login = await signIn(await makeFirst(trial), trial)
  expect(login).not.toHaveProperty('mustReplacePassword')
  expect((await open(login.token, trial)).status).toBe(200)
})
