import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const builtName = 'database-worker.js'

/**
 * The worker's file when running from the sources: Node cannot start a TypeScript worker, so build-worker.ts makes it.
 */
export const cachedWorkerUrl = new URL(`../../../node_modules/.cache/podkeeper/${builtName}`, import.meta.url)

/** Returns the worker's file: beside the built server, or the one built for running from the sources. */
export function getWorkerUrl(): URL {
  const candidates = [new URL(`./${builtName}`, import.meta.url), cachedWorkerUrl]
  const found = candidates.find((url) => existsSync(fileURLToPath(url)))
  if (found === undefined)
    throw new Error(`The embedded database's worker is missing (${builtName}): run npm run build`)
  return found
}
