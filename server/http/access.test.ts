import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { isEdit, type Route } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

/** The access matrix, from the contract: every endpoint × every page × {none, view, edit} (rules §2.2, §34.2). */

const test = useTestApp()
const all = Object.entries(endpoints).flatMap(([domain, group]) =>
  Object.entries(group).map(([name, endpoint]) => ({ name: `${domain}.${name}`, endpoint: endpoint as Endpoint })),
)

const params = () => ({ id: createId(), podId: createId(), userId: createId() })

it('every call that does not read says what it takes: it edits its pages, or why a view is enough', () => {
  const unclear = all.filter(({ endpoint }: { endpoint: Route }) => {
    if (endpoint.method === 'GET' || endpoint.access === 'public') return endpoint.edits || endpoint.viewIsEnough
    if (endpoint.access === 'session') return Boolean(endpoint.edits) === Boolean(endpoint.viewIsEnough)
    return endpoint.edits || endpoint.viewIsEnough === ''
  })
  expect(unclear.map(({ name }) => name)).toEqual([])
})

describe.each(all)('$name', ({ endpoint }) => {
  const { access } = endpoint

  it.runIf(access !== 'public')('is 401 without a session', async () => {
    const response = await test.request(endpoint, { params: params() })
    expect(response.status).toBe(401)
    // Of a person without pages, the portal would show that there are none, rather than the login.
    expect(response.headers).not.toHaveProperty('x-auth-pages')
    expect(response.body).toMatchObject({ code: 'not_signed_in', message: 'Please sign in.' })
  })

  it.runIf(typeof access !== 'string')('is 403 with every page but its own', async () => {
    const others = pageCodes.filter((page) => typeof access !== 'string' && !access.includes(page))
    const staff = await test.signIn(others)
    const response = await test.request(endpoint, { token: staff.token, params: params() })
    expect(response.status).toBe(403)
    expect(response.body.code).toBe('page_required')
  })

  it.runIf(typeof access !== 'string')('admits each of its pages alone', async () => {
    for (const page of typeof access === 'string' ? [] : access) {
      const staff = await test.signIn([page])
      const own = { ...params(), userId: staff._id }
      const response = await test.request(endpoint, { token: staff.token, params: own })
      expect([401, 403], `page ${page}`).not.toContain(response.status)
      expect(response.status, `page ${page}`).toBeLessThan(500)
    }
  })

  /** The response to who may only look at one of the endpoint's pages, and may change all pages that do not admit to it. */
  async function requestToLook(page: PageCode): Promise<TestResponse> {
    const others = pageCodes.filter((code) => code === page || !(access as readonly PageCode[]).includes(code)) // asked of lists alone
    const staff = await test.signIn(others, { view_only_pages: [page] })
    return test.request(endpoint, { token: staff.token, params: { ...params(), userId: staff._id } })
  }

  it.runIf(typeof access !== 'string' && isEdit(endpoint))(
    'is 403 with a view of its page where it edits',
    async () => {
      for (const page of access as readonly PageCode[]) {
        const { status, body } = await requestToLook(page)
        const message = 'You can look at this page, not change it.'
        expect([status, body.code, body.message], `page ${page}`).toEqual([403, 'view_only', message])
      }
    },
  )

  it.runIf(typeof access !== 'string' && !isEdit(endpoint))(
    'admits with a view of its page where it looks',
    async () => {
      for (const page of access as readonly PageCode[]) {
        const { status } = await requestToLook(page)
        expect([401, 403], `page ${page}`).not.toContain(status)
        expect(status, `page ${page}`).toBeLessThan(500)
      }
    },
  )

  it.runIf(access === 'session')('admits a session without any page', async () => {
    const staff = await test.signIn([])
    const response = await test.request(endpoint, { token: staff.token, params: params() })
    expect([401, 403]).not.toContain(response.status)
  })

  it.runIf(access === 'public')('is open to everyone', async () => {
    const response = await test.request(endpoint, { params: params(), ...(endpoint.body ? { body: {} } : {}) })
    expect(response.status).toBe(endpoint.body ? 400 : 200)
  })
})
