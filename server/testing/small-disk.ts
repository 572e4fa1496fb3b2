import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system in memory: full and read-only disks can only be tested on a real one. */
export type SmallDisk = {
  folder: string
  /** Uses up the free space, down to the last block. */
  fill(): void
  /** Frees what `fill` used. */
  free(): void
  setReadOnly(isReadOnly: boolean): void
  remove(): void
}

/** Mounts a small disk; returns undefined where this process may not, and its tests are then skipped. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'podkeeper-disk-'))
  const mount = (...parts: string[]) => execFileSync('mount', parts, { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder),
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes))
      } catch {
        // Smaller pieces may still fit.
      }
    }
  } finally {
    closeSync(file)
  }
}
