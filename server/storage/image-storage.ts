import type { Readable } from 'node:stream'

/** Where images are stored. Keys are file names without folders, chosen by the server and never by a client. */
export type ImageStorage = {
  /** Whether all servers share it, so that an outage affects all of them alike. */
  isRemote: boolean
  /** Resolves once the bytes are safely stored. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Resolves whether or not the key existed. */
  delete(key: string): Promise<void>
  /** Undefined when the key does not exist. */
  find(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  /** Rejects when nothing can be stored at the moment. */
  check(): Promise<void>
}

const KEY = /^[a-z0-9][a-z0-9._-]{0,200}$/

export const isKey = (key: string) => KEY.test(key)

export function requireKey(key: string): string {
  if (!isKey(key)) throw new Error('This is not a key of the image storage')
  return key
}
