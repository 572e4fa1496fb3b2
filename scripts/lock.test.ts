import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const lockModule = new URL('./lock.mjs', import.meta.url).href

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podkeeper-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a process that records when its work begins and ends, with a turn of the event loop in between. */
function startWorker(then = ''): Promise<number | null> {
  const code = `
    import { appendFileSync } from 'node:fs'
    import { withLock } from ${JSON.stringify(lockModule)}
    await withLock('build.lock', async () => {
      appendFileSync('notes', 'begin ')
      for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
      ${then}
      appendFileSync('notes', 'end ')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('exit', (status) => resolve(status))
  })
}

it('a lock lets one process work at a time', async () => {
  expect(await Promise.all([startWorker(), startWorker(), startWorker()])).toEqual([0, 0, 0])
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('begin end '.repeat(3))
  expect(existsSync(join(folder, 'build.lock'))).toBe(false)
})

it('a lock is released when its process exits, and ignored when its process was killed', async () => {
  expect(await startWorker('process.exit(3)')).toBe(3)
  expect(existsSync(join(folder, 'build.lock'))).toBe(false)
  await startWorker("process.kill(process.pid, 'SIGKILL')")
  expect(existsSync(join(folder, 'build.lock'))).toBe(true)
  writeFileSync(join(folder, 'notes'), '')
  expect(await startWorker()).toBe(0)
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('begin end ')
})
