import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cachedWorkerUrl } from './worker-file.ts'

/** Beside the worker, so that it finds it. */
export const crashWriterUrl = new URL('./crash-writer.js', cachedWorkerUrl)

const writers = new Set<ChildProcess>()

/** A second process on a data folder; `crash-writer.ts` says what it prints. */
export function startWriter(dataDir: string): ChildProcess {
  const writer = spawn(process.execPath, [fileURLToPath(crashWriterUrl), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writers.add(writer)
  writer.once('exit', () => writers.delete(writer))
  return writer
}

/** For the end of a test that failed half-way: its writer would write for ever. */
export async function stopWriters(): Promise<void> {
  const ended = [...writers].map((writer) => once(writer, 'exit'))
  for (const writer of writers) writer.kill('SIGKILL')
  await Promise.all(ended)
}
