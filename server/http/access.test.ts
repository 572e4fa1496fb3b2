import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { pageCodes } from '#contract/pages.ts'
import { isEdit, type Route } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { useTestApp } from '#server/testing/test-app.ts'

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

  it.runIf(typeof access !== 'string')(
    'takes of each page an edit where it edits, and a view where it looks',
    async () => {
      const own = typeof access === 'string' ? [] : access
      for (const page of own) {
        // All of the others may be changed, but for those that admit too.
        const others = pageCodes.filter((code) => code === page || !own.some((one) => one === code))
        const staff = await test.signIn(others, { view_only_pages: [page] })
        const response = await test.request(endpoint, {
          token: staff.token,
          params: { ...params(), userId: staff._id },
        })
        if (isEdit(endpoint)) {
          expect(response.status, `page ${page}`).toBe(403)
          expect(response.body, `page ${page}`).toMatchObject({
            code: 'view_only',
            message: 'You can look at this page, not change it.',
          })
        } else {
          expect([401, 403], `page ${page}`).not.toContain(response.status)
          expect(response.status, `page ${page}`).toBeLessThan(500)
        }
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
