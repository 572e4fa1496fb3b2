import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { listenLive } from './testing/live-client.ts'
import { buildServerProcess, type ServerProcess, startServerProcess, waitUntilReady } from './testing/server-process.ts'

/** The server as a process, as newcomers and supervisors see it. Only on the embedded database, which has a folder. */
describe.runIf(process.env.TEST_ENGINE === 'embedded')('the server as a process', () => {
  let folder: string
  const servers: ServerProcess[] = []
  const start = async (env: Record<string, string> = {}) => {
    const server = startServerProcess({ DATA_DIR: folder, ...env })
    servers.push(server)
    return server
  }
  const clearFolder = async () => {
    for (const server of servers.splice(0)) {
      server.child.kill('SIGKILL')
      await server.ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  /** Makes a migrated database without staff: like a first start, without the seconds that making a cluster takes. */
  const prepareFolder = async () => {
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-process-'))
    await cp(inject('databaseTemplate'), folder, { recursive: true })
  }

  beforeAll(buildServerProcess)

  const signIn = (server: ServerProcess, email: string, password: string) =>
    fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })

  describe('from its first start to its second', () => {
    let first: ServerProcess
    let server: ServerProcess
    beforeAll(async () => {
      await prepareFolder()
      first = await start({ SECRET_KEY: 'the key of before' })
      server = first
      await waitUntilReady(server)
    })
    afterAll(clearFolder)

    it('refuses a second process on the same data folder, with advice', async () => {
      const second = await start()
      expect(await second.ended).toBe(1)
      expect(second.readOutput()).toContain('is in use by another Podkeeper process')
      expect(second.readOutput()).toContain('DATA_DIR')
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    })

    it('creates the first staff member once, prints how to sign in, and keeps the data', async () => {
      const [, email = '', password = ''] = /Email +(\S+)\n +Password +(\S+)/.exec(server.readOutput()) ?? []
      expect(server.readOutput()).toContain(`Podkeeper is ready at ${server.url}`)
      expect((await signIn(server, email, password)).status).toBe(200)
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)

      server = await start({ SECRET_KEY: 'the key of before' })
      await waitUntilReady(server)
      expect(server.readOutput()).not.toContain('Password')
      expect((await signIn(server, email, password)).status).toBe(200)
    })

    it('closes connections without a request when it stops', async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      await once(socket, 'connect')
      const closed = once(socket, 'close')
      socket.resume()
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      await closed
    })

    it('writes only JSON to stdout when there is no terminal', () => {
      // The first one printed the password, too.
      for (const started of [first, server]) {
        const lines = started.readStdout().split('\n').filter(Boolean)
        expect(lines.map((line) => JSON.parse(line).msg)).toContain('stopping: requests in flight are finished first')
        expect(started.readOutput()).toContain(`Podkeeper is ready at ${started.url}`)
      }
    })

    it('does not start with a different SECRET_KEY than before, and says how to change the key', async () => {
      const other = await start({ SECRET_KEY: 'quite another key' })
      expect(await other.ended).toBe(1)
      expect(other.readOutput()).toContain('SECRET_KEY is not the key that the secrets')
      expect(other.readOutput()).toContain('npm run secret:change')
      expect(other.readOutput()).not.toContain('quite another key')
    })
  })

  describe('with the first staff member from its settings', () => {
    const password = 'a password of ours'
    let server: ServerProcess
    beforeAll(async () => {
      await prepareFolder()
      server = await start({ ADMIN_EMAIL: 'Lerato@Example.com', ADMIN_PASSWORD: password })
      await waitUntilReady(server)
    })
    afterAll(clearFolder)

    it('accepts ADMIN_EMAIL and ADMIN_PASSWORD, and never prints the password or a token', async () => {
      const response = await signIn(server, 'lerato@example.com', password)
      expect(response.status).toBe(200)
      expect(server.readOutput()).not.toContain(password)
      const { token } = (await response.json()) as { token: string }
      expect(server.readOutput()).not.toContain(token)
    })

    it('logs requests with their id and without secrets', async () => {
      await fetch(`${server.url}/api/user/logout?token=in-the-query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${'a'.repeat(43)}`, 'x-request-id': 'followed-0001' },
      })
      // Waits for the second line of the request: the response may arrive before the server's output.
      const ofRequest = () => server.readOutput().split('followed-0001').length - 1
      await expect.poll(ofRequest, { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
      expect(server.readOutput()).not.toContain('aaaaaaaaaaaaaaaa')
      expect(server.readOutput()).not.toContain('in-the-query')
    })

    it('closes live streams when it stops, instead of waiting for their end', async () => {
      const { token } = await (await signIn(server, 'lerato@example.com', password)).json()
      const listeners = await Promise.all(Array.from({ length: 10 }, () => listenLive(server.url, token)))
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      for (const listener of listeners) await listener.waitFor(() => expect(listener.isEnded()).toBe(true))
    })
  })

  describe('on a new folder', () => {
    beforeEach(prepareFolder)
    afterEach(clearFolder)

    it.each([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)('ends at once on %s while it starts, also as process 1 of a container', async (signal, code) => {
      const server = await start({ DATA_DIR: join(folder, 'empty') })
      await expect.poll(() => server.readOutput(), { interval: 5 }).toContain('making a new embedded database')
      server.child.kill(signal)
      expect(await server.ended).toBe(code)
      expect(server.readOutput()).not.toContain('is ready')
    })

    it('does not start with invalid settings, and lists every problem', async () => {
      const server = await start({ SESSION_HOURS: 'many', BUSINESS_TIME_ZONE: 'Mars/Base', NODE_ENV: 'production' })
      expect(await server.ended).toBe(1)
      for (const problem of [
        'SESSION_HOURS must be a whole number',
        'BUSINESS_TIME_ZONE must be a time zone',
        'SECRET_KEY is required',
        'PUBLIC_URL is required',
      ]) {
        expect(server.readOutput()).toContain(problem)
      }
    })

    it('exits with an error when its port is taken, and still prints the first password', async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      try {
        const { port } = other.address() as AddressInfo // of a server that listens on a port
        const server = await start({ PORT: String(port) })
        expect(await server.ended).toBe(1)
        expect(server.readOutput()).toContain(`Port ${port} is in use by another program.`)
        // The first staff member is there already, and the password is not shown again.
        expect(server.readOutput()).toMatch(/Email +\S+\n +Password +\S+/)
      } finally {
        other.close()
      }
    })

    it.runIf(process.platform === 'linux')('survives more connections than files may be open', async () => {
      const server = await start()
      const { pid = 0 } = server.child
      execFileSync('prlimit', ['--pid', String(pid), '--nofile=800:800'])
      await waitUntilReady(server)
      const port = Number(new URL(server.url).port)
      const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
      // Longer than from one measurement of its memory to the next.
      await new Promise((resolve) => setTimeout(resolve, 6_000))
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => fetch(`${server.url}/readyz`).then(({ status }) => status)).toBe(200)
    })

    it('says at once when daily backups could not be written, and starts all the same', async () => {
      const file = join(folder, 'no-folder')
      await writeFile(file, '')
      const server = await start({ BACKUP_TO: join(file, 'backups') })
      await waitUntilReady(server)
      await vi.waitFor(() =>
        expect(server.readOutput()).toContain('daily backups cannot be written: look at BACKUP_TO'),
      )
    })

    it('warns of a setting whose name is misspelt, and starts all the same', async () => {
      const server = await start({ BACKUPS_TO: join(folder, 'backups') })
      await waitUntilReady(server)
      expect(server.readOutput()).toContain(
        'BACKUPS_TO is not read, because no setting has this name. Is BACKUP_TO meant?',
      )
    })

    it.each(['SIGINT', 'SIGTERM'] as const)(
      'ends cleanly on %s, and finishes the requests in flight',
      async (signal) => {
        const server = await start({
          ADMIN_EMAIL: 'a@example.com',
          ADMIN_PASSWORD: 'a password of ours',
          LOGIN_ATTEMPTS: '1000',
        })
        await waitUntilReady(server)
        // Forty password comparisons take long enough for the signal to come meanwhile.
        const inFlight = Array.from({ length: 40 }, () => signIn(server, 'a@example.com', 'a password of ours'))
        const count = () => server.readOutput().split('"msg":"incoming request"').length - 1
        await expect.poll(count, { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(40)
        server.child.kill(signal)
        const statuses = await Promise.all(inFlight.map((response) => response.then(({ status }) => status)))
        expect(new Set(statuses)).toEqual(new Set([200]))
        expect(await server.ended).toBe(0)
        expect(server.readOutput()).toContain('requests in flight are finished first')
      },
    )

    it('writes readable logs with LOG_FORMAT=pretty, and prints how to sign in last', async () => {
      const server = await start({ LOG_FORMAT: 'pretty' })
      await waitUntilReady(server)
      await expect.poll(() => server.readOutput()).toContain('Note the password')
      await signIn(server, 'nobody@example.com', 'no password')
      expect(server.readOutput()).toMatch(
        /Podkeeper is ready at http:\S+\n\n {2}Email +\S+\n {2}Password +\S+\n\n {2}Note the password: it is shown this once\.\n\n$/,
      )
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      // The last line, written as the process ends.
      expect(server.readStdout()).toMatch(/INFO: stopping: requests in flight are finished first/)
      expect(server.readOutput()).not.toContain('{"level"')
    })
  })
})
