import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { admitsKeys, isEdit, type Route } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

/**
 * The access matrix, from the contract: every endpoint × every page × {none, view, edit} × {session, API key}
 * (rules §2.2, §34.2, §38.3).
 */

const test = useTestApp()

const params = () => ({ id: createId(), podId: createId(), userId: createId() })

it('every endpoint other than GET declares that it edits its pages, or why a view is enough', () => {
  const unclear = allEndpoints.filter(({ endpoint }: { endpoint: Route }) => {
    if (endpoint.method === 'GET' || endpoint.access === 'public') return endpoint.edits || endpoint.viewIsEnough
    if (endpoint.access === 'session') return Boolean(endpoint.edits) === Boolean(endpoint.viewIsEnough)
    return endpoint.edits || endpoint.viewIsEnough === ''
  })
  expect(unclear.map(({ name }) => name)).toEqual([])
})

it('API keys are refused by exactly the listed endpoints: own accounts, access of staff, and sensitive ones', () => {
  const refused = allEndpoints.filter(({ endpoint }) => endpoint.access !== 'public' && !admitsKeys(endpoint))
  expect(refused.map(({ name }) => name)).toEqual([
    'auth.verifyPage',
    'auth.signOut',
    'auth.changePassword',
    'account.get',
    'account.update',
    'account.sessions',
    'account.confirm',
    'account.endSession',
    'account.endOtherSessions',
    'secondFactors.get',
    'secondFactors.create',
    'secondFactors.confirm',
    'secondFactors.createRecoveryCodes',
    'secondFactors.delete',
    'secondFactors.getRequirement',
    'secondFactors.setRequirement',
    'passkeys.list',
    'passkeys.createOptions',
    'passkeys.create',
    'passkeys.update',
    'passkeys.delete',
    'dashboard.get',
    'bookings.create',
    'closures.export',
    'users.erase',
    'users.export',
    'users.exportBookings',
    'staff.create',
    'staff.update',
    'staff.block',
    'staff.unblock',
    'staff.delete',
    'staff.createPasswordLink',
    'staff.resetSecondFactor',
    'staff.export',
    'companies.export',
    'series.create',
    'rolePresets.list',
    'rolePresets.create',
    'rolePresets.update',
    'rolePresets.delete',
    'viewAs.get',
    'viewAs.start',
    'viewAs.stop',
    'audit.export',
    'audit.import',
    'webhooks.create',
    'webhooks.update',
    'apiKeys.list',
    'apiKeys.create',
    'apiKeys.update',
    'apiKeys.revoke',
    'live.stream',
    'live.edit',
  ])
})

it('before a required second factor is set up, staff can only sign out, see their account, and set it up', () => {
  const open = allEndpoints.filter(({ endpoint }: { endpoint: Route }) => endpoint.beforeSetUp)
  expect(open.map(({ name }) => name)).toEqual([
    'auth.signOut',
    'account.get',
    'account.confirm',
    'secondFactors.get',
    'secondFactors.create',
    'secondFactors.confirm',
    'passkeys.createOptions',
    'passkeys.create',
  ])
})

describe.each(allEndpoints)('$name', ({ endpoint }) => {
  const { access } = endpoint

  it.runIf(access !== 'public')('returns 401 without a session', async () => {
    const response = await test.request(endpoint, { params: params() })
    expect(response.status).toBe(401)
    // An empty list would make the portal show that there are no pages, rather than the login.
    expect(response.headers).not.toHaveProperty('x-auth-pages')
    expect(response.body).toMatchObject({ code: 'not_signed_in', message: 'Please sign in.' })
  })

  it.runIf(typeof access !== 'string')('returns 403 with every page but its own', async () => {
    const others = pageCodes.filter((page) => typeof access !== 'string' && !access.includes(page))
    const staff = await test.signIn(others)
    const response = await test.request(endpoint, { token: staff.token, params: params() })
    expect(response.status).toBe(403)
    expect(response.body.code).toBe('page_required')
  })

  it.runIf(typeof access !== 'string')('is open with any one of its pages', async () => {
    for (const page of typeof access === 'string' ? [] : access) {
      const staff = await test.signIn([page])
      const own = { ...params(), userId: staff._id }
      const response = await test.request(endpoint, { token: staff.token, params: own })
      expect([401, 403], `page ${page}`).not.toContain(response.status)
      expect(response.status, `page ${page}`).toBeLessThan(500)
    }
  })

  /**
   * Sends the request as someone who may only view one page of the endpoint, but edit all pages that give no access to
   * it.
   */
  async function requestToLook(page: PageCode): Promise<TestResponse> {
    const others = pageCodes.filter((code) => code === page || !(access as readonly PageCode[]).includes(code)) // a list here
    const staff = await test.signIn(others, { view_only_pages: [page] })
    return test.request(endpoint, { token: staff.token, params: { ...params(), userId: staff._id } })
  }

  it.runIf(typeof access !== 'string' && isEdit(endpoint))(
    'returns 403 for an edit with a view-only page',
    async () => {
      for (const page of access as readonly PageCode[]) {
        const { status, body } = await requestToLook(page)
        const message = 'You can view this page, but not change it.'
        expect([status, body.code, body.message], `page ${page}`).toEqual([403, 'view_only', message])
      }
    },
  )

  it.runIf(typeof access !== 'string' && !isEdit(endpoint))(
    'is open with a view-only page when it edits nothing',
    async () => {
      for (const page of access as readonly PageCode[]) {
        const { status } = await requestToLook(page)
        expect([401, 403], `page ${page}`).not.toContain(status)
        expect(status, `page ${page}`).toBeLessThan(500)
      }
    },
  )

  it.runIf(access === 'session')('is open to a session without any page', async () => {
    const staff = await test.signIn([])
    const response = await test.request(endpoint, { token: staff.token, params: params() })
    expect([401, 403]).not.toContain(response.status)
  })

  it.runIf(access !== 'public')('treats an API key like a session with its pages, or is for people only', async () => {
    const send = async (pages: readonly PageCode[]) => {
      const { token } = await test.issueKey(pages)
      const { status, body } = await test.request(endpoint, { token, params: params() })
      expect(status).toBeLessThan(500)
      return [401, 403].includes(status) ? body.code : 'admitted'
    }
    const isFor = (code: string) => (admitsKeys(endpoint) ? code : 'people_only')
    const admitting = typeof access === 'string' ? [PAGE.features] : access
    for (const page of admitting) {
      const looksOnly = page === PAGE.staff && isEdit(endpoint)
      expect(await send([page]), `page ${page}`).toBe(isFor(looksOnly ? 'view_only' : 'admitted'))
    }
    const others = pageCodes.filter((page) => !admitting.includes(page))
    expect(await send(others)).toBe(isFor(access === 'session' ? 'admitted' : 'page_required'))
  })

  /** Sends the request as someone who lacks nothing but a second factor, where one is required. */
  async function requestBeforeSetUp(): Promise<TestResponse> {
    await test.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    const staff = await test.signIn()
    return test.request(endpoint, { token: staff.token, params: { ...params(), userId: staff._id } })
  }

  it.runIf(access !== 'public' && !endpoint.beforeSetUp)(
    'returns 403 while a required second factor is missing',
    async () => {
      const { status, body } = await requestBeforeSetUp()
      expect([status, body.code]).toEqual([403, 'second_factor_setup_required'])
    },
  )

  it.runIf(endpoint.beforeSetUp)('is open before a required second factor is set up', async () => {
    expect([401, 403]).not.toContain((await requestBeforeSetUp()).status)
  })

  it.runIf(access === 'public')('is open to everyone', async () => {
    const response = await test.request(endpoint, { params: params(), ...(endpoint.body ? { body: {} } : {}) })
    expect(response.status).toBe(endpoint.body ? 400 : 200)
  })
})
