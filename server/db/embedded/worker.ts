import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createCluster, hasCluster } from './cluster-folder.ts'
import { createDurableFiles } from './durable-files.ts'
import { authenticationOk, endsReady, expectsReady, joinBytes, readyForQuery, simpleQuery } from './wire-protocol.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts'

/**
 * The embedded database's thread: PostgreSQL in WebAssembly handles one message at a time and would otherwise block the
 * server's event loop for as long as a query takes. Both requests and responses are in PostgreSQL's wire protocol.
 */
// Only engine.ts starts this file, as a worker and with these settings.
const { folder, syncs } = workerData as WorkerSettings
const port = parentPort ?? fail('The database worker was started outside a worker thread')

/**
 * Memory for a single session, with the file system's cache behind it; the defaults take 125 MB more of the process's
 * memory.
 */
const memory = ['shared_buffers=32MB', 'max_connections=10']

const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), // -F would turn every sync off
  ...[...memory, 'wal_sync_method=fsync', 'max_wal_size=64MB', 'TimeZone=UTC', 'DateStyle=ISO'].flatMap((it) => [
    '-c',
    it,
  ]),
]

/** The most bytes that are sent on in one piece, so that a long result is not in memory twice. */
const pieceBytes = 256 * 1024

/** The C library's messages by Emscripten's error numbers; PostgreSQL uses the same messages. */
const systemErrors: Record<number, string> = {
  2: 'Permission denied',
  19: 'Disk quota exceeded',
  29: 'Input/output error',
  51: 'No space left on device',
  69: 'Read-only file system',
}

let lastLog = ''

function post(message: FromWorker): void {
  if (message.kind === 'receive') port.postMessage(message, [message.bytes.buffer])
  else port.postMessage(message)
}

function fail(reason: string): never {
  parentPort?.postMessage({ kind: 'failed', reason } satisfies FromWorker, [])
  // Ends only this thread, at once and past every catch: nothing more may be written from a broken state.
  process.exit(1)
}

function openCluster(path: string): Promise<PGlite> {
  const files = createDurableFiles(
    path,
    () => Atomics.add(syncs, 0, 1),
    () => fail(lastLog || 'the engine aborted'),
  )
  return PGlite.create({
    fs: files,
    extensions: { pg_trgm },
    startParams,
    onStderr: keepLog,
  })
}

function keepLog(line: string): boolean {
  if (/\b(?:FATAL|PANIC):/.test(line)) lastLog = line.replace(/^.*?(?=FATAL|PANIC)/, '')
  return false
}

async function start(): Promise<PGlite> {
  if (!hasCluster(folder)) await createCluster(folder, async (path) => (await openCluster(path)).close())
  const database = await openCluster(folder)
  // A transaction that writes to the log must wait for the disk. If that ever stopped working, no later check would
  // show it.
  const before = Atomics.load(syncs, 0)
  await database.exec(`select pg_logical_emit_message(true, 'podkeeper', 'does a commit reach the disk?')`)
  if (Atomics.load(syncs, 0) === before) fail('a commit does not sync to disk')
  return database
}

/** Runs one batch of messages; the response is sent in pieces while it is being made. */
async function run(database: PGlite, connection: number, request: Uint8Array): Promise<void> {
  let pieces: Uint8Array[] = []
  let size = 0
  let ready = false
  const flush = () => {
    if (size === 0) return
    const bytes = joinBytes(pieces, size)
    ready = endsReady(bytes)
    pieces = []
    size = 0
    post({ kind: 'receive', connection, bytes })
  }
  await database.execProtocolRawStream(request, {
    syncToFs: false,
    onRawData: (view) => {
      pieces.push(view.slice()) // the view is the engine's own memory
      size += view.length
      if (size >= pieceBytes) flush()
    },
  })
  flush()
  // PGlite swallows what its WebAssembly throws (such as an exhausted stack); a missing ReadyForQuery is the only sign
  // of the broken state.
  if (!ready && expectsReady(request)) fail('the engine stopped in the middle of a query')
}

/**
 * Resets the session for a new connection: one session serves them all in turn, and nothing that the previous one left
 * open may reach the next.
 */
async function connect(database: PGlite, connection: number): Promise<void> {
  for (const statement of ['rollback', 'deallocate all', 'reset all', 'select pg_advisory_unlock_all()']) {
    await database.execProtocolRawStream(simpleQuery(statement), { syncToFs: false, onRawData: () => undefined })
  }
  post({ kind: 'receive', connection, bytes: joinBytes([authenticationOk, readyForQuery]) })
}

async function stop(database: PGlite): Promise<void> {
  await database.exec('checkpoint')
  await database.close()
  process.exit(0)
}

async function handle(database: PGlite, message: ToWorker): Promise<void> {
  if (message.kind === 'send') await run(database, message.connection, message.bytes)
  else if (message.kind === 'connect') await connect(database, message.connection)
  else await stop(database)
}

/**
 * Returns the message of a thrown value. Emscripten throws objects that are not errors, with a message or the system's
 * error number.
 */
function describe(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('errno' in error && typeof error.errno === 'number')
    return systemErrors[error.errno] ?? `System error ${error.errno}`
  return 'message' in error ? String(error.message) : JSON.stringify(error)
}

try {
  const database = await start()
  let last = Promise.resolve()
  port.on('message', (message: ToWorker) => {
    last = last.then(() => handle(database, message)).catch((error: unknown) => fail(describe(error)))
  })
  post({ kind: 'ready' })
} catch (error) {
  fail(lastLog || describe(error))
}
