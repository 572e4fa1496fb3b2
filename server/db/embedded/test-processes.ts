import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cachedWorkerUrl } from './worker-file.ts'

/** Beside the worker's file, where it looks for the worker. */
export const crashWriterUrl = new URL('./crash-writer.js', cachedWorkerUrl)

const writers = new Set<ChildProcess>()

/** Starts a second process on a data folder; `crash-writer.ts` describes its output. */
export function startWriter(dataDir: string): ChildProcess {
  const writer = spawn(process.execPath, [fileURLToPath(crashWriterUrl), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writers.add(writer)
  writer.once('exit', () => writers.delete(writer))
  return writer
}

/** Kills the writers of tests that failed half-way, which would otherwise write for ever. */
export async function stopWriters(): Promise<void> {
  const ended = [...writers].map((writer) => once(writer, 'exit'))
  for (const writer of writers) writer.kill('SIGKILL')
  await Promise.all(ended)
}
