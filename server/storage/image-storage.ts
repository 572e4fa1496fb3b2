import type { Readable } from 'node:stream'

/**
 * Where pictures are kept: a folder here, an S3-compatible store elsewhere. Keys are names without folders, chosen by
 * the server, never by a client.
 */
export type ImageStorage = {
  /** Resolves once the bytes are safely stored. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Resolves whether or not the key was there. */
  delete(key: string): Promise<void>
  /** Undefined when there is no such key. */
  find(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  /** Rejects when nothing could be stored now. */
  check(): Promise<void>
}
