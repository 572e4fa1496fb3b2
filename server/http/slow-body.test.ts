import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { connectRaw } from '#server/testing/raw-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

/** Sends the head of a request that adds a feature, then, after `meanwhile` and more than a second, its body. */
async function addSlowly(token: string, meanwhile: () => Promise<unknown>) {
  const client = await connectRaw(await test.listen())
  onTestFinished(() => void client.close())
  const body = JSON.stringify({ name: 'Wi-Fi', icon: 'wifi' })
  client.send(
    `POST /api/location/create-features HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`,
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await setTimeout(600)
  await meanwhile()
  await setTimeout(600)
  client.send(body.slice(5))
  const response = await client.read()
  const added = await test.db.selectFrom('features').select('id').execute()
  return { status: response?.status, code: JSON.parse(response?.body ?? '{}').code, added: added.length }
}

describe('a request whose body arrives after more than a second', () => {
  it('is accepted while the sender may send it', async () => {
    const { token } = await test.signIn()
    expect(await addSlowly(token, async () => undefined)).toEqual({ status: 201, code: undefined, added: 1 })
  })

  it('is refused when the session has ended meanwhile, the account was blocked, or the page taken away', async () => {
    const change = (columns: object) => async (id: string) =>
      test.db.updateTable('staff').set(columns).where('id', '=', id).execute()
    const endSession = async (id: string) => test.db.deleteFrom('sessions').where('staff_id', '=', id).execute()
    const refused = async (meanwhile: (id: string) => Promise<unknown>) => {
      const { token, _id } = await test.signIn()
      return addSlowly(token, () => meanwhile(_id))
    }
    const ended = { status: 401, code: 'not_signed_in', added: 0 }
    expect(await refused(endSession)).toEqual(ended)
    expect(await refused(change({ is_blocked: true }))).toEqual(ended)
    expect(await refused(change({ pages: [PAGE.bookings] }))).toEqual({ status: 403, code: 'page_required', added: 0 })
  })

  it('is refused when the API key was revoked meanwhile', async () => {
    const { token, _id } = await test.issueKey([PAGE.features])
    const revoke = () =>
      test.db.updateTable('api_keys').set({ revoked_at: test.clock.now() }).where('id', '=', _id).execute()
    expect(await addSlowly(token, revoke)).toEqual({ status: 401, code: 'not_signed_in', added: 0 })
  })
})
