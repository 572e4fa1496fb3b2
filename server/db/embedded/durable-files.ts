import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type EmscriptenStream = { nfd?: number | null; node: unknown }

/** The parts of the WebAssembly module that are used here; its own types stop short of them. */
type EmscriptenModule = {
  onAbort?: (reason: unknown) => void
  FS: { ErrnoError: new (errno: number) => Error }
  NODEFS: {
    realPath(node: unknown): string
    stream_ops: { fsync?: (stream: EmscriptenStream) => number }
  }
}

/** Emscripten's number for EIO: PostgreSQL answers it with a PANIC, as it must when a sync has failed. */
const errnoIo = 29

/**
 * PGlite's file system over a folder, with the one call that it lacks: without fsync an acknowledged commit can be
 * lost, and files torn, when the power fails. `onSync` hears of every sync that reached the disk, `onAbort` of the
 * engine giving up (PANIC), after which its memory is not to be trusted.
 */
export function createDurableFiles(folder: string, onSync: () => void, onAbort: () => void): NodeFS {
  const files = new NodeFS(folder)
  const init = files.init.bind(files)
  // The public type of preRun names no parameter; Emscripten calls it with the module.
  const prepare = (module: unknown) => prepareModule(module as EmscriptenModule, onSync, onAbort)
  files.init = (pglite, options) => init(pglite, { ...options, preRun: [prepare, ...(options.preRun ?? [])] })
  return files
}

function prepareModule(module: EmscriptenModule, onSync: () => void, onAbort: () => void): void {
  module.onAbort = onAbort
  module.NODEFS.stream_ops.fsync = (stream) => {
    try {
      if (typeof stream.nfd === 'number') fdatasyncSync(stream.nfd)
      else syncFolder(module.NODEFS.realPath(stream.node))
    } catch {
      throw new module.FS.ErrnoError(errnoIo)
    }
    onSync()
    return 0
  }
}

/** A file's name is safe only when its folder is synced too: PostgreSQL asks for it after it has made a WAL file. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
