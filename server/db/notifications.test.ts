import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './client.ts'
import { silentLog } from './driver/database-log.ts'
import { createPostgresNotifications, MAX_PAYLOAD_BYTES } from './notifications.ts'
import { hasPostgres, testEngines } from './test-databases.ts'

describe.each(testEngines)('notifications on $engine', ({ create }) => {
  it('reach every listener of their channel until that listener stops', async () => {
    const { handle, remove } = await create()
    onTestFinished(remove)
    const { listen, notify } = handle.notifications
    const first: unknown[] = []
    const second: unknown[] = []
    const stop = await listen('news', (payload) => first.push(payload))
    await listen('news', (payload) => second.push(payload))
    await listen('other', (payload) => second.push(`other ${payload}`))
    await notify('news', 'one')
    await expect.poll(() => [first, second]).toEqual([['one'], ['one']])
    stop()
    await notify('news')
    await notify('other', 'x'.repeat(MAX_PAYLOAD_BYTES))
    await expect.poll(() => second).toEqual(['one', '', `other ${'x'.repeat(MAX_PAYLOAD_BYTES)}`])
    expect(first).toEqual(['one'])
  })

  it('reach all listeners even when a handler throws', async () => {
    const { handle, remove } = await create()
    onTestFinished(remove)
    const received: unknown[] = []
    await handle.notifications.listen('news', () => {
      throw new Error('cannot')
    })
    await handle.notifications.listen('news', (payload) => received.push(payload))
    await handle.notifications.notify('news', 'one')
    await expect.poll(() => received).toEqual(['one'])
  })
})

describe.runIf(hasPostgres)('notifications between servers', () => {
  const postgres = () => {
    const found = testEngines.find(({ engine }) => engine === 'postgres')
    if (!found) throw new Error('No PostgreSQL to test on')
    return found.create()
  }

  it('arrive from every server that shares the database', async () => {
    const { handle, databaseUrl, remove } = await postgres()
    const other = await openDatabase({ databaseUrl, dataDir: '/nowhere' })
    onTestFinished(async () => {
      await other.close()
      await remove()
    })
    const received: unknown[] = []
    await handle.notifications.listen('news', (payload) => received.push(payload))
    await other.notifications.notify('news', 'from the other')
    await expect.poll(() => received).toEqual(['from the other'])
  })

  it('arrive again after the connection broke, and listeners learn that some may be missing', async () => {
    const { handle, remove } = await postgres()
    onTestFinished(remove)
    const received: unknown[] = []
    await handle.notifications.listen('news', (payload) => received.push(payload))
    const { rows } = await handle.pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    )
    expect(rows).toEqual([{ ended: true }])
    await expect.poll(() => received).toEqual([undefined])
    await handle.notifications.notify('news', 'again')
    await expect.poll(() => received).toEqual([undefined, 'again'])
  })

  it('arrive again after the connection fell silent without being closed', async () => {
    const { handle, databaseUrl, remove } = await postgres()
    const url = new URL(databaseUrl ?? '')
    const pairs: Socket[] = []
    const proxy = createServer((client) => {
      const server = connect(Number(url.port), url.hostname)
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) pairs.push(socket.on('error', () => undefined))
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo // listening on TCP
    const connectionString = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href
    const application_name = 'listener'
    const listening = createPostgresNotifications(handle.pool, { connectionString, application_name }, silentLog, {
      beatMs: 200,
    })
    onTestFinished(async () => {
      await listening.close()
      proxy.close()
      for (const socket of pairs) socket.destroy()
      await remove()
    })
    const received: unknown[] = []
    await listening.listen('news', (payload) => received.push(payload))
    for (const socket of pairs) socket.unpipe().pause()
    await handle.notifications.notify('news', 'lost')
    await expect.poll(() => received).toEqual([undefined])
    await handle.notifications.notify('news', 'again')
    await expect.poll(() => received).toEqual([undefined, 'again'])
  })
})
