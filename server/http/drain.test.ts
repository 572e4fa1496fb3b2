import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '#server/app.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createDrain } from './drain.ts'

const test = useTestApp()

it('a server that is about to stop is not ready, still responds, and tells clients to close their connections', async () => {
  const drain = createDrain()
  const app = await createApp({ context: test.context, logger: pino({ level: 'silent' }), drain })
  onTestFinished(() => app.close())
  const ask = async (url: string) => {
    const { statusCode, headers } = await app.inject(url)
    return [statusCode, headers.connection]
  }
  expect(await ask('/readyz')).toEqual([200, 'keep-alive'])
  drain.begin()
  expect(await ask('/readyz')).toEqual([503, 'close'])
  expect(await ask('/healthz')).toEqual([200, 'close'])
  expect(await ask('/api/user/common-passwords')).toEqual([200, 'close'])
})

it('a server closes although a browser has opened a connection in advance and never used it', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  createDrain().watch(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const accepted = once(app.server, 'connection')
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  await accepted
  await app.close()
  await expect.poll(() => socket.closed).toBe(true)
})

it('a server closes although a client keeps the connection of a response that ended meanwhile', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  createDrain().watch(app)
  let end = () => {}
  app.get('/', (_request, { raw }) => {
    raw.write('begun')
    end = () => raw.end()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const [response] = await once(get(app.listeningOrigin, { agent }), 'response')
  const ended = once(response.resume(), 'end')
  const closed = app.close()
  // By then the connections that are idle have been closed.
  await expect.poll(() => app.server.listening).toBe(false)
  end()
  await ended
  await expect(closed).resolves.toBeUndefined()
})
