import { createHash, randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findCode } from '#server/error-code.ts'

type FolderLock = { release(): Promise<void> }

const lockName = '.lock'
/** The path of a Unix socket has 104 bytes on macOS and 108 on Linux, including the zero at its end. */
const longestSocketPath = 103
/** The error codes of file systems without sockets or hard links (some shared mounts). */
const unsupported = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL', 'ENOSYS', 'EXDEV'])

/**
 * Keeps a second process out of a data folder: two engines in one folder corrupt it silently. The lock is a Unix socket
 * that this process listens on. The kernel closes it with the process, however that ends, so a socket that refuses
 * connections is stale and is taken over. Process ids would not do, as containers that share a folder each have a
 * process 1.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  try {
    return await lock(folder, folder)
  } catch (error) {
    if (!unsupported.has(findCode(error) ?? '')) throw error
    // The next best lock: processes of this machine still see each other.
    const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)
    const place = join(tmpdir(), `podkeeper-${name}`)
    mkdirSync(place, { recursive: true })
    return lock(folder, place)
  }
}

async function lock(folder: string, place: string): Promise<FolderLock> {
  const lockPath = join(place, lockName)
  const ownPath = join(place, `${lockName}-${randomBytes(3).toString('hex')}`)
  const server = await withShortPath(place, (short) => listen(join(short, ownPath.slice(place.length))))
  const own = identify(ownPath)
  try {
    if (!(await claim(place, ownPath, lockPath))) throw inUse(folder)
    // A process that removes a stale lock at this very moment may have moved this one away and put it back, so check
    // who holds the name in the end.
    await delay(20)
    if (identify(lockPath) !== own) throw inUse(folder)
  } catch (error) {
    rmSync(ownPath, { force: true })
    await close(server)
    throw error
  }
  rmSync(ownPath, { force: true })
  return {
    async release() {
      if (identify(lockPath) === own) rmSync(lockPath, { force: true })
      await close(server)
    },
  }
}

/**
 * Gives the listening socket the lock's name by a hard link, which succeeds for one process only; false when it is
 * held.
 */
async function claim(place: string, ownPath: string, lockPath: string): Promise<boolean> {
  for (;;) {
    try {
      linkSync(ownPath, lockPath)
      return true
    } catch (error) {
      if (findCode(error) !== 'EEXIST') throw error
    }
    const seen = identify(lockPath)
    const answered = await withShortPath(place, (short) => isAnswered(join(short, lockName)))
    if (answered) return false
    if (seen !== undefined) removeStale(lockPath, seen)
  }
}

/** Removes the stale lock. Two processes may find the same one, so only the socket that was seen to refuse may go. */
function removeStale(lockPath: string, seen: string): void {
  const aside = `${lockPath}-${randomBytes(3).toString('hex')}`
  try {
    if (identify(lockPath) !== seen) return
    renameSync(lockPath, aside)
    if (identify(aside) !== seen) linkSync(aside, lockPath)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(findCode(error) ?? '')) throw error
  }
  rmSync(aside, { force: true })
}

/** Returns the file's identity: its inode and time of birth, as inode numbers are used again. */
function identify(path: string): string | undefined {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino}:${stats.birthtimeNs}`
}

/** Calls `act` with the folder's path, or a short symbolic link to it when the path is too long for a socket. */
async function withShortPath<T>(place: string, act: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(join(place, `${lockName}-abcdef`)) <= longestSocketPath) return act(place)
  const links = mkdtempSync(join(tmpdir(), 'pk-'))
  try {
    const short = join(links, 'd')
    symlinkSync(realpathSync(place), short)
    return await act(short)
  } finally {
    rmSync(links, { recursive: true, force: true })
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => {
      const code = findCode(error)
      if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false)
      else if (code === 'EAGAIN') resolve(true) // its queue is full, so it is alive
      else reject(error)
    })
  })
}

function inUse(folder: string): Error {
  return new Error(
    `The data folder ${folder} is in use by another Podkeeper process. Stop it, or set DATA_DIR to another folder.`,
  )
}
