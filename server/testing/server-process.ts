import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
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

/** Starts a command with only these settings. */
export const startCommandProcess = (name: string, env: Record<string, string>, args: string[] = []) =>
  startProcess(toBuilt(name), env, args)

/** Runs a command to its end. */
export async function runCommandProcess(
  ...command: Parameters<typeof startCommandProcess>
): Promise<{ code: number | null; output: string }> {
  const { ended, readOutput } = startCommandProcess(...command)
  return { code: await ended, output: readOutput() }
}

export type ServerProcess = {
  /** Where it listens; known once it is ready. */
  readonly url: string
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
 * Unless PORT is set, the system chooses the port when the server listens: of a port that was free a second earlier,
 * a server of another test may respond by now.
 */
export function startServerProcess(env: Record<string, string>, main = builtMain): ServerProcess {
  const limits = { STAFF_CHANGES: '1000000' }
  const settings = { HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'info', ...limits, ...env }
  const started = startProcess(main, settings)
  return {
    ...started,
    get url() {
      const url = findAddress(started.readOutput())
      if (!url) throw new Error('The server is not ready yet')
      return url
    },
  }
}

/** Returns the address in the line that a server prints once it listens. */
const findAddress = (output: string) => / is ready at (http:\S+)\n/.exec(output)?.[1]

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

/** Waits until the server listens and /readyz responds with 200; throws with its output when it exits instead. */
export async function waitUntilReady(server: ServerProcess): Promise<void> {
  while (server.child.exitCode === null && server.child.signalCode === null) {
    const url = findAddress(server.readOutput())
    const response = url && (await fetch(`${url}/readyz`).catch(() => undefined))
    if (response && response.ok) return
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

/**
 * Finds a free port for a program that has to be told one. It is none of those that systems choose themselves (from
 * 32768 on), which anything that listens or connects may take before the program starts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const probe = createServer()
    const opened = await new Promise((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!opened) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
