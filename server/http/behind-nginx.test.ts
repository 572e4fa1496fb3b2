import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { createId } from '#server/ids.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { findFreePort } from '#server/testing/server-process.ts'
import { useTestApp } from '#server/testing/test-app.ts'

/** A proxy shares a few connections among all clients: an unread body of one would affect the next. */

const isMissing = spawnSync('nginx', ['-v']).error !== undefined
const test = useTestApp()

describe.skipIf(isMissing && process.env.CI !== 'true')('behind nginx with shared connections', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podkeeper-nginx-'))
  let nginx: ChildProcess
  let url: string

  beforeAll(async () => {
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
       events { worker_connections 256; }
       http {
         access_log off; client_max_body_size 20m;
         client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
         uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
         upstream app { server 127.0.0.1:${await test.listen()}; keepalive 4; }
         server {
           listen 127.0.0.1:${port};
           location / { proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; }
           location /unbuffered/ {
             proxy_pass http://app/; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off;
           }
           location /alone/ { proxy_pass http://app/; }
         }
       }`,
    )
    nginx = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
    await vi.waitFor(() => fetch(`${url}/healthz`), { timeout: 10_000 })
  })
  afterAll(async () => {
    if (nginx?.pid !== undefined) {
      const ended = once(nginx, 'close')
      nginx.kill()
      await ended
    }
    rmSync(folder, { recursive: true })
  })

  const refused: [number, string, Record<string, string>, number][] = [
    [415, '/api/user/login', { 'content-type': 'application/json, text/html', 'content-encoding': 'gzip' }, 400_000],
    [415, '/api/user/login', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 400_000],
    [401, '/api/location/create', { 'content-type': 'application/json' }, 900_000],
    [401, '/api/upload', { 'content-type': 'multipart/form-data; boundary=x' }, 5_000_000],
    [413, '/api/user/login', { 'content-type': 'application/json' }, 5_000_000],
  ]

  it.each(['', '/unbuffered', '/alone'])(
    '20 requests and 20 refused ones beside them all get their responses (prefix “%s”)',
    async (prefix) => {
      const bodies = new Map(refused.map(([, , , bytes]) => [bytes, Buffer.alloc(bytes, 'x')]))
      const requests = [...refused, ...refused, ...refused, ...refused].map(
        async ([expected, path, headers, bytes]) => {
          const refusal = fetch(url + prefix + path, { method: 'POST', headers, body: bodies.get(bytes) ?? null })
          const innocent = fetch(`${url}${prefix}/api/product/getall`, { signal: AbortSignal.timeout(10_000) })
          const responses = await Promise.all([refusal, innocent])
          const texts = await Promise.all(responses.map((response) => response.json()))
          expect([...responses.map(({ status }) => status), ...texts.map(({ code }) => typeof code)]).toEqual([
            expected,
            401,
            'string',
            'string',
          ])
        },
      )
      await Promise.all(requests)
    },
  )

  // At /alone nginx uses HTTP/1.0 to the server, where only the end of the connection marks the end of the events.
  it.each(['', '/alone'])(
    'a change arrives at once in the live stream, although nginx buffers responses (prefix “%s”)',
    async (prefix) => {
      const { token } = await test.signIn()
      const listener = await listenLive(url + prefix, token)
      for (const version of [2, 3]) {
        const change = { entity: 'pod' as const, id: createId(), version }
        test.context.live.publish([change])
        await listener.waitFor(() => expect(listener.list('changes').flat()).toContainEqual(change))
      }
      listener.leave()
    },
  )

  it('everybody gets their responses, however many locations they have', async () => {
    const ids = Array.from({ length: 1_000 }, createId)
    const read = async (location_ids: string[]) => {
      const { token } = await test.signIn([PAGE.features], { location_ids })
      const response = await fetch(`${url}/api/location/features`, { headers: { authorization: `Bearer ${token}` } })
      return [response.status, response.headers.get('x-auth-locations')]
    }
    expect(await read(ids.slice(0, 50))).toEqual([200, ids.slice(0, 50).join(',')])
    const [status, hash] = await read(ids)
    expect([status, hash]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect((await read(ids.slice(1)))[1]).not.toBe(hash)
  })
})
