import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { connectRaw } from '#server/testing/raw-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { listen } from './listen.ts'

const findAddresses = async () => ['127.0.0.1', '127.0.0.2', '203.0.113.9'].map((address) => ({ address }))
const test = useTestApp({}, { isOwn: true })

// Other systems have only one loopback address.
it.runIf(process.platform === 'linux')(
  'every address of the host gives the same responses, also to malformed requests',
  async () => {
    await listen(test.app, { host: 'localhost', port: 0 }, findAddresses)
    const port = await test.listen()
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const client = await connectRaw(port, host)
      client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n')
      expect((await client.read())?.status).toBe(200)
      const refusal = await client.read()
      expect([refusal?.status, refusal?.headers['x-content-type-options']]).toEqual([400, 'nosniff'])
      expect(await client.read()).toBeUndefined()
      client.close()
    }
  },
)

it.runIf(process.platform === 'linux')('no address of the host may be in use by another program', async () => {
  const other = createServer().listen(0, '127.0.0.2')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // of a server that listens on a port
  const app = fastify()
  const inUse = `Port ${port} is in use by another program. Stop it, or set PORT to another one.`
  await expect(listen(app, { host: 'localhost', port }, findAddresses)).rejects.toThrow(inUse)
  await app.close()
  other.close()
})

it.each(['203.0.113.9', 'no-such-host.invalid'])('a HOST that the machine does not have is named: %s', async (host) => {
  const app = fastify()
  await expect(listen(app, { host, port: 0 })).rejects.toThrow(`This machine has no address ${host}. Set HOST`)
  await app.close()
})
