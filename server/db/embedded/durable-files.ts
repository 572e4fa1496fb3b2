import { fdatasyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An open file or folder; `nfd` is Node's file descriptor. */
type EmscriptenStream = { nfd: number }

/** The parts of the WebAssembly module that are used here; its own types do not cover them. */
type EmscriptenModule = {
  onAbort?: (reason: unknown) => void
  FS: { ErrnoError: new (errno: number) => Error }
  NODEFS: {
    stream_ops: { fsync?: (stream: EmscriptenStream) => number }
  }
}

/** Emscripten's number for EIO. PostgreSQL reacts to it with a PANIC, as it must when a sync has failed. */
const errnoIo = 29

/**
 * Creates PGlite's file system over a folder, with the one call that it lacks: without fsync, a power failure can lose
 * acknowledged commits and tear files. `onSync` is called after every sync that reached the disk, `onAbort` when the
 * engine gives up (PANIC), after which its memory must not be trusted.
 */
export function createDurableFiles(folder: string, onSync: () => void, onAbort: () => void): NodeFS {
  const files = new NodeFS(folder)
  const init = files.init.bind(files)
  // The public type of preRun has no parameter, but Emscripten calls it with the module.
  const prepare = (module: unknown) => prepareModule(module as EmscriptenModule, onSync, onAbort)
  files.init = (pglite, options) => init(pglite, { ...options, preRun: [prepare, ...(options.preRun ?? [])] })
  return files
}

function prepareModule(module: EmscriptenModule, onSync: () => void, onAbort: () => void): void {
  module.onAbort = onAbort
  module.NODEFS.stream_ops.fsync = (stream) => {
    try {
      fdatasyncSync(stream.nfd)
    } catch {
      throw new module.FS.ErrnoError(errnoIo)
    }
    onSync()
    return 0
  }
}
