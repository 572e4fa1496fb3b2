import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt } from './build-stamp.mjs'
import { loadEnvFile } from './env-file.mjs'

/**
 * `node scripts/start.mjs [command] [arguments]`: builds if needed, then runs dist/server/<command>.js (main by
 * default).
 */

loadEnvFile()
if (!isBuilt()) {
  const { status } = spawnSync(process.execPath, [join('scripts', 'build.mjs'), '--if-needed'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const [command = 'main', ...rest] = process.argv.slice(2)
process.argv = [process.execPath, command, ...rest]
await import(pathToFileURL(join('dist', 'server', `${command}.js`)).href)
