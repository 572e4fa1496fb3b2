import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from '#server/testing/postgres-databases.ts'
import {
  buildServerProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from '#server/testing/server-process.ts'
import { startSmtpServer } from '#server/testing/smtp-server.ts'

const onPostgres = process.env.TEST_ENGINE === 'postgres'
const name = `podkeeper_test_mail_${process.pid}`
const smtp = await startSmtpServer()
const admin = { email: 'lerato@example.com', password: 'harbour lamp 2026 x' }
const servers: ServerProcess[] = []
let folder: string

beforeAll(async () => {
  await buildServerProcess()
  folder = await mkdtemp(join(tmpdir(), 'podkeeper-mail-'))
  if (onPostgres) await createDatabase(name, inject('databaseTemplate'))
  else await cp(inject('databaseTemplate'), folder, { recursive: true })
})
afterAll(async () => {
  for (const { child, ended } of servers) {
    child.kill('SIGKILL')
    await ended
  }
  await smtp.stop()
  if (onPostgres) await dropDatabase(name)
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const server = startServerProcess({
    DATA_DIR: folder,
    ...(onPostgres && { DATABASE_URL: toDatabaseUrl(name) }),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'pods@example.com',
  })
  servers.push(server)
  await waitUntilReady(server)
  return server
}

it('a mail is sent by the next server when the first is killed between the change and the mail', async () => {
  const server = await start()
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(`${server.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as { token: string } }
  }
  // Refuses mails, so that none goes out before the server is killed.
  smtp.replies.mail = '451 not yet'
  const { token } = (await post(routes.auth.login.path, admin)).body
  const colleague = { firstname: 'Thandi', email: 'thandi@example.com', password: 'otter lamp 2026 quiet' }
  expect((await post(routes.staff.create.path, colleague, token)).status).toBe(201)
  server.child.kill('SIGKILL')
  await server.ended
  expect(smtp.mails).toEqual([])

  smtp.replies.mail = '250 taken'
  await start()
  await expect.poll(() => smtp.mails, { timeout: 90_000 }).toMatchObject([{ to: colleague.email }])
}, 150_000)
