import type { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { DatabaseLog } from '../driver/database-log.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts'
import { createWorkerStream } from './worker-stream.ts'

export type EmbeddedEngine = {
  /** Resolves when the cluster is open; rejects when it can't be opened. */
  opened: Promise<void>
  /** Opens a separate connection for each client of the driver. */
  openStream: () => Duplex
  /** Returns the number of syncs to disk since the start; a commit that wrote makes at least one. */
  countSyncs: () => number
  stop(): Promise<void>
}

type EngineOptions = { folder: string; workerUrl: URL; log: DatabaseLog }

/**
 * Runs the embedded database in a worker thread. Opening takes a second, and connections wait for it. When the worker
 * dies, waiting queries get an error (57P02, PostgreSQL's own code for a crash), and the next connection starts it
 * again; it then recovers from its log, as after a power cut.
 */
export function startEngine({ folder, workerUrl, log }: EngineOptions): EmbeddedEngine {
  const syncs = new Uint32Array(new SharedArrayBuffer(4))
  const streams = new Map<number, Duplex>()
  let connections = 0
  let worker: Promise<Worker> | undefined
  let stopping = false

  function launch(): Promise<Worker> {
    const thread = new Worker(workerUrl, { name: 'database', workerData: { folder, syncs } satisfies WorkerSettings })
    return new Promise((resolve, reject) => {
      let ready = false
      let reason = 'its thread ended'
      thread.on('message', (message: FromWorker) => {
        if (message.kind === 'receive') streams.get(message.connection)?.push(Buffer.from(message.bytes.buffer))
        else if (message.kind === 'failed') reason = message.reason
        else {
          ready = true
          resolve(thread)
        }
      })
      thread.once('error', (error) => {
        reason = error.message
      })
      thread.once('exit', () => {
        worker = undefined
        reject(toStopError(reason, reason))
        if (ready && !stopping) log.error({ reason }, 'the embedded database stopped and will be started again')
        const error = toStopError(reason, `The embedded database stopped: ${reason}`)
        for (const stream of streams.values()) stream.destroy(error)
      })
    })
  }

  function ensureWorker(): Promise<Worker> {
    if (stopping) return Promise.reject(Object.assign(new Error('The embedded database is closed'), { code: '57P01' }))
    worker ??= launch()
    return worker
  }

  function openStream(): Duplex {
    connections += 1
    const connection = connections
    let thread: Worker | undefined
    const post = (message: ToWorker, transfer: ArrayBuffer[] = []) => thread?.postMessage(message, transfer)
    const stream = createWorkerStream({
      async connect() {
        thread = await ensureWorker()
        post({ kind: 'connect', connection })
      },
      send: (bytes) => post({ kind: 'send', connection, bytes }, [bytes.buffer]),
      closed: () => streams.delete(connection),
    })
    streams.set(connection, stream)
    return stream
  }

  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    const thread = await worker?.catch(() => undefined)
    if (thread === undefined) return
    const ended = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve())
    })
    thread.postMessage({ kind: 'stop' } satisfies ToWorker, [])
    await ended
  }

  return { opened: ensureWorker().then(() => undefined), openStream, countSyncs: () => Atomics.load(syncs, 0), stop }
}

/** Returns an error with PostgreSQL's code for the reason, or the code for a crash when the reason has none. */
function toStopError(reason: string, message: string): Error {
  let code = '57P02'
  if (/No space left|quota exceeded/.test(reason)) code = '53100'
  else if (reason.includes('Read-only file system')) code = '25006'
  return Object.assign(new Error(message), { code })
}
