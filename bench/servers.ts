import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { BareResponse } from './bare-server.ts'
import type { Seeded } from './seeded.ts'

export type BenchServer = { url: string; pid: number; stop(): Promise<void> }

/** Starts the built product as a separate process, as in production, and waits until it is ready. */
export function startProduct(settings: Record<string, string>): Promise<BenchServer> {
  return startServer('server/main.js', '/readyz', settings)
}

async function startServer(file: string, path: string, env: Record<string, string>): Promise<BenchServer> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join('dist', file)], {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', STAFF_CHANGES: '1000000', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}${path}`, child)
  return {
    url,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** Starts the bare server, which gives these responses. */
export async function startBareServer({ settings, databaseUrl }: Seeded, responses: BareResponse[]) {
  const file = join(settings.DATA_DIR, 'bare-answers.json')
  await writeFile(file, JSON.stringify(responses))
  return startServer('bench/bare-server.js', '/', {
    BARE_ANSWERS: file,
    BARE_DATA_DIR: join(settings.DATA_DIR, 'bare-http'),
    DATABASE_URL: databaseUrl ?? '',
  })
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`A server of the benchmark ended with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not become ready`)
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
