import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { loadEnvFile } from './env-file.mjs'

/**
 * Runs the portal on http://localhost:5173 with hot reload and the API on port 4000, both rebuilt when the sources
 * change.
 */

loadEnvFile()
const bin = (name) => join('node_modules', '.bin', name)
const children = [
  spawn(bin('rolldown'), ['-c', '--watch'], { stdio: 'inherit' }),
  spawn(bin('vite'), [], { stdio: 'inherit' }),
]
// Links in QR codes lead to the development portal.
const env = { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL || 'http://localhost:5173' }
// The server's first build takes a moment; --watch then restarts it on each later one.
setTimeout(() => {
  children.push(spawn(process.execPath, ['--watch', join('dist', 'server', 'main.js')], { stdio: 'inherit', env }))
}, 1500)

function stop() {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
