import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasCluster } from './cluster-folder.ts'

it('a database that cannot be read is not taken for one that has yet to be made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podkeeper-cluster-'))
  expect(hasCluster(join(folder, 'database'))).toBe(false)
  // As root nothing is unreadable, except what is no folder.
  writeFileSync(join(folder, 'database'), '')
  expect(() => hasCluster(join(folder, 'database'))).toThrow(`The folder ${folder}/database cannot be made: a file`)
  rmSync(folder, { recursive: true })
})
