import { fdatasyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An open file or folder; `nfd` is Node's descriptor of it. */
type EmscriptenStream = { nfd: number }

/** The parts of the WebAssembly module that are used here; its own types stop short of them. */
type EmscriptenModule = {
  onAbort?: (reason: unknown) => void
  FS: { ErrnoError: new (errno: number) => Error }
  NODEFS: {
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
      fdatasyncSync(stream.nfd)
    } catch {
      throw new module.FS.ErrnoError(errnoIo)
    }
    onSync()
    return 0
  }
}
