import { join } from 'node:path'
import { start, waitFor } from './processes.mjs'

const EMAIL = 'admin@podkeeper.example'
const PASSWORD = 'a-drill-and-nothing-else'

/** Starts a server that logs into its `DATA_DIR`, and waits until it is ready. */
export async function startServer(port, settings) {
  const url = `http://127.0.0.1:${port}`
  const log = join(settings.DATA_DIR, `server-${port}.log`)
  const child = start(log, process.execPath, [join('dist', 'server', 'main.js')], {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    DEMO_DATA: 'on',
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    STAFF_CHANGES: '1000000',
    ...settings,
  })
  await waitFor(`the server on port ${port}`, async () => (await fetch(`${url}/readyz`)).ok, 120_000)
  return { url, child }
}

export async function signIn(url) {
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const { token, message } = await login.json()
  if (!token) throw new Error(message)
  const pods = await fetch(`${url}/api/product/getall`, { headers: { authorization: `Bearer ${token}` } })
  const active = (await pods.json()).filter(({ isBlocked, location }) => !isBlocked && !location?.isBlocked)
  return { token, podIds: active.map(({ _id }) => _id) }
}
