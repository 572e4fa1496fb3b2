import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** `npm run bench [part …]`: builds the product if needed and the benchmark, which is not part of it, then measures. */

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
run(process.execPath, join('scripts', 'build.mjs'), '--if-needed')
run(join('node_modules', '.bin', 'rolldown'), '-c', join('bench', 'rolldown.config.ts'), '--logLevel', 'warn')
cpSync(join('server', 'demo', 'images'), join('dist', 'bench', 'images'), { recursive: true })
await import(pathToFileURL(join('dist', 'bench', 'main.js')).href)
