import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { silentLog } from '../driver/database-log.ts'
import { startEngine } from './engine.ts'
import { cachedWorkerUrl } from './worker-file.ts'

/**
 * The folder for the test cluster: making one takes seconds, copying it a tenth of a second. It is kept between runs,
 * one for each version of PGlite.
 */
const cache = fileURLToPath(new URL('./', cachedWorkerUrl))

function findClusterFolder(): string {
  const manifest = new URL('../../../node_modules/@electric-sql/pglite/package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return join(cache, `cluster-${version}`)
}

export async function prepareTestCluster(): Promise<void> {
  const target = findClusterFolder()
  if (existsSync(target)) return
  const temporary = mkdtempSync(join(cache, 'cluster-new-'))
  const folder = join(temporary, 'database')
  const engine = startEngine({ folder, workerUrl: cachedWorkerUrl, log: silentLog })
  await engine.opened
  await engine.stop()
  try {
    renameSync(folder, target)
  } catch (error) {
    if (!existsSync(target)) throw error // else another run was quicker
  }
  rmSync(temporary, { recursive: true, force: true })
}

/** Copies an empty database into a data folder, as its first start would have made it. */
export function copyTestCluster(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  cpSync(findClusterFolder(), join(dataDir, 'database'), { recursive: true })
}
