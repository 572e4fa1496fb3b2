import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const STAMP = join('dist', 'stamp')

const folders = ['contract', 'server', 'web']
const files = ['package-lock.json', 'vite.config.ts', 'rolldown.config.ts', 'tsconfig.json']

/**
 * Returns a hash of the names, sizes and modification times of all build inputs; hashing their contents would slow down
 * every start.
 */
export function toSourceStamp() {
  const hash = createHash('sha256').update(process.version)
  const add = (path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  for (const folder of folders) {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
    const paths = entries
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    for (const path of paths.sort()) add(path)
  }
  for (const file of files) add(file)
  return hash.digest('hex')
}

/**
 * Returns whether dist/ was built from the current sources. A container image without sources runs the build that it
 * contains, and so does an installation without the tools that build.
 */
export function isBuilt() {
  if (!existsSync(join('dist', 'server', 'main.js'))) return false
  if (!existsSync('server') || !existsSync(join('node_modules', 'rolldown'))) return true
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === toSourceStamp()
}
