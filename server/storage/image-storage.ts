import type { Readable } from 'node:stream'

/** Where images are stored. Keys are file names without folders, chosen by the server and never by a client. */
export type ImageStorage = {
  /** Resolves once the bytes are safely stored. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Resolves whether or not the key existed. */
  delete(key: string): Promise<void>
  /** Undefined when the key does not exist. */
  find(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  /** Rejects when nothing can be stored at the moment. */
  check(): Promise<void>
}
