import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const LOOK_EVERY_MS = 100

/**
 * Runs the work while holding a lock file that names its holder, so that no other process does the same at the same
 * time. A lock whose holder was killed is taken over.
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  while (!take(file)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  // The work may exit the process, so the lock is released on exit too.
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
    // The holder's process id is written a moment after the file is created.
    if (holder === 0) return true
    process.kill(holder, 0)
    return true
  } catch (error) {
    // The process may belong to another user, and then must not be signalled.
    return error.code === 'EPERM'
  }
}
