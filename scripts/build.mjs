import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isBuilt, STAMP, toSourceStamp } from './build-stamp.mjs'
import { withLock } from './lock.mjs'

/**
 * Builds portal and server into dist/, and writes a stamp by which `npm start` recognises an up-to-date build. Only one
 * build runs at a time: with `--if-needed`, a process that has waited for another's build does not build again.
 */

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const bin = (name) => join('node_modules', '.bin', name)

function run(command, ...args) {
  // Builds the portal with React's production mode, whatever the shell's NODE_ENV is.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, error } = spawnSync(command, args, {
    // Their output is discarded on success; warnings go to standard error.
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env,
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  process.stdout.write(
    error?.code === 'ENOENT'
      ? `\n${command} is missing. Run npm ci --include=dev: building needs the development packages, which npm ci leaves out when NODE_ENV is production.\n`
      : `\n${stdout}`,
  )
  process.exit(status ?? 1)
}

/** Compresses files once here rather than for each request. */
async function precompress(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile() && /\.(js|css|svg|json|webmanifest)$/.test(entry.name))
  await Promise.all(files.map((file) => compress(join(file.parentPath ?? file.path, file.name))))
}

async function compress(path) {
  const bytes = readFileSync(path)
  if (bytes.length < 1024) return
  writeFileSync(`${path}.gz`, await toGzip(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, await toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}

async function build() {
  const started = performance.now()
  process.stdout.write('Building the portal and the server … ')
  const stamp = toSourceStamp()
  run(bin('vite'), 'build', '--logLevel', 'warn')
  await precompress('dist/web')
  run(bin('rolldown'), '-c', '--logLevel', 'warn')
  writeFileSync(STAMP, stamp)
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

await withLock(join('node_modules', '.cache', 'podkeeper', 'build.lock'), async () => {
  if (!process.argv.includes('--if-needed') || !isBuilt()) await build()
})
