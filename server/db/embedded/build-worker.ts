import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { cachedWorkerUrl } from './worker-file.ts'

/** Packages with a hundred or more small modules: reading them one by one would add 200 ms to each start. */
const bundled = /^(?:kysely|zod)(?:\/|$)/

/** Returns whether a bundle of the server imports a module from node_modules instead of containing it. */
export const isExternal = (id: string) => !bundled.test(id) && !/^[.#]/.test(id) && !isAbsolute(id)

/**
 * Builds the worker for running from the sources. PGlite is not bundled, as it looks for its files beside itself.
 */
export function buildDatabaseWorker(): Promise<void> {
  return buildModule(new URL('./worker.ts', import.meta.url), cachedWorkerUrl)
}

/**
 * Bundles one TypeScript entry for Node. Writes a temporary file and renames it, as several runs may build it at once.
 */
export async function buildModule(entry: URL, target: URL): Promise<void> {
  const file = fileURLToPath(target)
  const temporary = `${file}.${randomUUID()}`
  mkdirSync(dirname(file), { recursive: true })
  const bundle = await rolldown({
    input: fileURLToPath(entry),
    platform: 'node',
    external: isExternal,
  })
  try {
    await bundle.write({ file: temporary, format: 'esm', codeSplitting: false })
  } finally {
    await bundle.close()
  }
  renameSync(temporary, file)
}
