import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

it('a start says when .env cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-env-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Root may read every file, but a folder is none.
  await mkdir(join(folder, '.env'))
  const start = fileURLToPath(new URL('start.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [start], { cwd: folder, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    'The file .env cannot be read. See that it is a file, and that this user may read it.\n',
  ])
})
