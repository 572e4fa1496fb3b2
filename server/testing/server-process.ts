import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buildModule } from '../db/embedded/build-worker.ts'

const toBuilt = (name: string) => new URL(`../../node_modules/.cache/podkeeper/${name}.js`, import.meta.url)
const builtMain = toBuilt('main')

/**
 * Turns off optimizing the embedded engine's code, which takes two fifths of a start's processor time: too long for
 * processes that live so shortly.
 */
const V8_FLAGS = ['--liftoff-only']

/** Bundles the server's entry next to the database worker that the global setup has built. */
export async function buildServerProcess(): Promise<void> {
  await buildModule(new URL('../main.ts', import.meta.url), builtMain)
  // The demo data finds the images beside the bundle. Linked, because copies would be replaced while another test reads
  // them.
  await symlink(fileURLToPath(new URL('../demo/images', import.meta.url)), new URL('./images', builtMain)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
}

/** Bundles a terminal command in the same way. */
export function buildCommandProcess(name: string): Promise<void> {
  return buildModule(new URL(`../commands/${name}.ts`, import.meta.url), toBuilt(name))
}

/** Runs a command to its end, with only these settings. */
export async function runCommandProcess(
  name: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; output: string }> {
  const command = startProcess(toBuilt(name), env, args)
  return { code: await command.ended, output: command.readOutput() }
}

export type ServerProcess = {
  url: string
  child: ChildProcess
  /** Its output so far. */
  readOutput(): string
  /** Its standard output so far. */
  readStdout(): string
  /** Resolves with the exit code; null after a signal that was not caught. */
  ended: Promise<number | null>
}

/**
 * Starts the real server as a separate process, with only these settings. It may not be ready yet (see waitUntilReady).
 */
export async function startServerProcess(env: Record<string, string>, main = builtMain): Promise<ServerProcess> {
  const port = env.PORT ?? String(await findFreePort())
  const limits = { STAFF_CHANGES: '1000000' }
  const settings = { HOST: '127.0.0.1', PORT: port, DEMO_DATA: 'off', LOG_LEVEL: 'info', ...limits, ...env }
  return { url: `http://127.0.0.1:${port}`, ...startProcess(main, settings) }
}

function startProcess(file: URL, env: Record<string, string>, args: string[] = []): Omit<ServerProcess, 'url'> {
  const child = spawn(process.execPath, [...V8_FLAGS, fileURLToPath(file), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  return { child, readOutput: () => output, readStdout: () => stdout, ended }
}

/** Polls /readyz; throws with the server's output when it exits instead. */
export async function waitUntilReady(server: ServerProcess): Promise<void> {
  while (server.child.exitCode === null && server.child.signalCode === null) {
    const response = await fetch(`${server.url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`The server ended before it was ready:\n${server.readOutput()}`)
}

/** Kills a process unless it has ended, and waits for its end. */
export async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
