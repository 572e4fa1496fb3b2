import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cachedWorkerUrl } from './worker-file.ts'

/** Beside the worker, so that it finds it. */
export const crashWriterUrl = new URL('./crash-writer.js', cachedWorkerUrl)

/** A second process on a data folder; `crash-writer.ts` says what it prints. */
export function startWriter(dataDir: string): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(crashWriterUrl), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
