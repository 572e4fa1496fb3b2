/** The settings that the embedded database's worker is started with. */
export type WorkerSettings = {
  /** The cluster's folder, absolute. */
  folder: string
  /** The number of syncs of a file or folder that reached the disk; shared with the thread that started the worker. */
  syncs: Uint32Array<SharedArrayBuffer>
}

/** `bytes` are PostgreSQL's wire protocol, so that the driver need not know which engine responds. */
export type ToWorker =
  | { kind: 'connect'; connection: number }
  | { kind: 'send'; connection: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'stop' }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'receive'; connection: number; bytes: Uint8Array<ArrayBuffer> }
  /** The engine can no longer be trusted; the worker ends itself right after. */
  | { kind: 'failed'; reason: string }
