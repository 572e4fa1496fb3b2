import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('every build of the server has the images of the demo data, also one that replaces another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podkeeper-build-'))
  try {
    writeFileSync(join(folder, 'earlier.js'), '')
    // As `npm run dev` builds, without scripts/build.mjs.
    spawnSync(join('node_modules', '.bin', 'rolldown'), ['-c', '--dir', folder])
    expect(readdirSync(folder)).toContain('main.js')
    expect(readdirSync(folder)).not.toContain('earlier.js')
    expect(readdirSync(join(folder, 'images'))).toEqual(readdirSync(join('server', 'demo', 'images')))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
