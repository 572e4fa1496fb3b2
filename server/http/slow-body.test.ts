import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { connectRaw } from '#server/testing/raw-client.ts'
import { PNG } from '#server/testing/sample-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

/** Sends the head of a request, then, after `meanwhile` and more than a second, all of its body but the beginning. */
async function sendSlowly(
  { path, token, type, body }: { path: string; token: string; type: string; body: Buffer },
  meanwhile: () => Promise<unknown>,
) {
  const client = await connectRaw(await test.listen())
  onTestFinished(() => void client.close())
  client.send(
    `POST /api${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`,
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    body.subarray(0, 5),
  )
  await setTimeout(600)
  await meanwhile()
  await setTimeout(600)
  client.send(body.subarray(5))
  const response = await client.read()
  return { status: response?.status, code: JSON.parse(response?.body ?? '{}').code }
}

async function addSlowly(token: string, meanwhile: () => Promise<unknown>) {
  const body = Buffer.from(JSON.stringify({ name: 'Wi-Fi', icon: 'wifi' }))
  const type = 'application/json'
  const response = await sendSlowly({ path: '/location/create-features', token, type, body }, meanwhile)
  const added = await test.db.selectFrom('features').select('id').execute()
  return { ...response, added: added.length }
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

  it.each([
    { path: routes.uploads.create.path, name: 'images', page: PAGE.pods },
    { path: routes.audit.import.path, name: 'file', page: PAGE.staff },
  ])('is refused when it is sent to $path in parts, and stores no image', async ({ path, name, page }) => {
    const { token, _id } = await test.signIn([page])
    const head = `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), PNG, Buffer.from('\r\n--b--\r\n')])
    const blocked = () => test.db.updateTable('staff').set({ is_blocked: true }).where('id', '=', _id).execute()
    const type = 'multipart/form-data; boundary=b'
    const listFiles = () => readdir(join(test.context.config.dataDir, 'uploads'))
    const files = await listFiles()
    expect(await sendSlowly({ path, token, type, body }, blocked)).toEqual({ status: 401, code: 'not_signed_in' })
    expect(await listFiles()).toEqual(files)
    expect(await test.db.selectFrom('images').select('id').execute()).toEqual([])
  })
})
