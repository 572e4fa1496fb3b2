import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { findFreePort } from '#server/testing/server-process.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const EMAIL = 'lerato@example.com'
const nginxPath = process.env.NGINX_PATH

/** nginx from the system's packages, in front of the server as documented; vitest.config.ts finds it. */
describe.skipIf(!nginxPath)('behind nginx', () => {
  // A number says nothing about addresses; with addresses, nginx and its clients must not share one.
  describe.each(['1', '127.0.0.1, 192.0.2.0/24'])('with TRUST_PROXY %s', (TRUST_PROXY) => {
    const test = useTestApp({ TRUST_PROXY })
    const agent = new Agent({ keepAlive: true })
    let folder: string
    let nginx: ChildProcess
    let port: number

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'podkeeper-nginx-'))
      port = await findFreePort()
      await writeFile(join(folder, 'nginx.conf'), toNginxConfig(folder, port, await test.listen()))
      nginx = spawn(nginxPath ?? '', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await untilListening(nginx, port)
    })
    afterAll(async () => {
      agent.destroy()
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    })

    /** Signs in from an address of this machine, with a made-up X-Forwarded-For; resolves to the status. */
    const signIn = (localAddress: string, password: string, forwarded: string) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            path: `/api${routes.auth.login.path}`,
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
            localAddress,
            agent,
          },
          (response) => {
            response.resume()
            response.once('end', () => resolve(response.statusCode ?? 0))
          },
        )
        sent.once('error', reject)
        sent.end(JSON.stringify({ email: EMAIL, password }))
      })

    it('limits wrong passwords by the client’s real address, despite forged addresses', async () => {
      await buildStaff(test.db, { email: EMAIL })
      const statuses = []
      for (let guess = 0; guess < 60; guess++) {
        statuses.push(await signIn('127.0.0.2', 'wrong', `203.0.113.${guess}, 192.0.2.${guess}`))
      }
      expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
      expect(statuses.slice(10)).toEqual(Array(50).fill(429))
      // Attempts are counted by the client's address, not by that of the proxy.
      expect(await signIn('127.0.0.3', TEST_PASSWORD, '127.0.0.2')).toBe(200)
    })
  })
})

const toNginxConfig = (folder: string, port: number, serverPort: number) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${serverPort};
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`

/** Waits until nginx responds; throws when it ends instead, with its reason in the test's output. */
async function untilListening(nginx: ChildProcess, port: number): Promise<void> {
  let failure: Error | undefined
  nginx.once('error', (error) => {
    failure = error
  })
  nginx.once('exit', (code) => {
    failure ??= new Error(`nginx ended with ${code}`)
  })
  const responses = async () => {
    if (failure) throw failure
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok
  }
  while (!(await responses())) await new Promise((resolve) => setTimeout(resolve, 20))
}
