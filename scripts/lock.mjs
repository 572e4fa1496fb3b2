import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const LOOK_EVERY_MS = 100

/**
 * Does the work while no other process of this machine does work under the same file, which names who holds it. One that
 * was killed is not waited for.
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  while (!take(file)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  // The work may end the process.
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isHeld(file)) rmSync(file, { force: true })
  return false
}

function isHeld(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'))
    // Named a moment after the file was made.
    if (holder === 0) return true
    process.kill(holder, 0)
    return true
  } catch (error) {
    // It may be another person's, who may not be signalled.
    return error.code === 'EPERM'
  }
}
