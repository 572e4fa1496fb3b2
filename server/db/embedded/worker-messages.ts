/** What the embedded database's worker is started with. */
export type WorkerSettings = {
  /** The cluster's folder, absolute. */
  folder: string
  /** Shared with the thread that started the worker: how often a file or a folder was really synced to disk. */
  syncs: Uint32Array<SharedArrayBuffer>
}

/** Bytes are those of PostgreSQL's wire protocol, so that the driver above never learns which engine answers. */
export type ToWorker =
  | { kind: 'connect'; connection: number }
  | { kind: 'send'; connection: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'stop' }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'receive'; connection: number; bytes: Uint8Array<ArrayBuffer> }
  /** The engine can no longer be trusted; the worker ends itself right after. */
  | { kind: 'failed'; reason: string }
