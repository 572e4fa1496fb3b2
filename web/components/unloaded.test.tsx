// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ApiError, confirmationCancelled, networkError } from '#web/api/api-error.ts'
import { renderUi } from '#web/ui/testing.tsx'
import { Unloaded } from './unloaded.tsx'

afterEach(cleanup)

const refused = new ApiError({ status: 409, code: 'conflict', message: 'Refused' })
const outdated = new ApiError({ status: 400, code: 'version_required', message: 'Read it first' })
const slow = new ApiError({ status: 408, code: 'request_timeout', message: 'Too slow' })
const fromProxy = new ApiError({ status: 404, code: 'unreadable', message: 'Not the API' })
const overloaded = new ApiError({ status: 503, code: 'overloaded', message: 'Try again' })

it.each([
  ['refused', refused, 0],
  ['invalid', outdated, 0],
  ['not from the API', fromProxy, 1],
  ['too slow', slow, 1],
  ['overload', overloaded, 1],
  ['a lost connection', networkError(), 1],
  ['a password that was not given again', confirmationCancelled(), 1],
])('offers Retry unless the same would be refused again: %s', async (_name, error, retries) => {
  const query = { data: undefined, error, isFetching: false, refetch: () => new Promise<never>(() => undefined) }
  renderUi(<Unloaded query={query} />)
  expect((await screen.findByRole('alert')).textContent).toContain(error.message)
  expect(screen.queryAllByRole('button', { name: 'Retry' })).toHaveLength(retries)
})
