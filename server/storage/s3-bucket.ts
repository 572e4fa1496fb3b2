import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { findCode } from '../error-code.ts'
import { StoreError } from './store-error.ts'

export type S3Settings = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Empty, or ends with a slash. */
  prefix: string
}

/** A bucket of any S3-compatible store. Keys are prefixed with `prefix` of the settings. */
export type S3Bucket = {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Uploads bytes of any length, in parts to save memory. The object appears only when it is complete. */
  putLong(key: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Lists the objects whose keys begin with `beginning`, without those in subfolders. */
  list(beginning: string): Promise<{ name: string; bytes: number }[]>
  find(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  /** Resolves whether or not the key existed. */
  delete(key: string): Promise<void>
  /** Rejects when the store does not respond, or has no such bucket for this server. */
  check(): Promise<void>
  /** Throws an error that an operator has to correct. An unavailable store does not throw, because it comes back. */
  requireUsable(): Promise<void>
}

export function openS3Bucket(
  settings: S3Settings,
  { responseMs = RESPONSE_MS, name = 'The image store' } = {},
): S3Bucket {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix } = settings
  const client = new S3mini({
    accessKeyId,
    secretAccessKey,
    region,
    endpoint: `${endpoint}/${bucket}`,
    fetch: (...request) => fetchTwice(request, responseMs),
  })
  const ask = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw toStoreError(name, error)
    })

  const opened: S3Bucket = {
    async put(key, bytes, contentType) {
      await ask(client.putObject(prefix + key, bytes, contentType))
    },
    async putLong(key, bytes) {
      const parts = toParts(bytes)
      const first = await parts.next()
      const second = await parts.next()
      if (second.done) return opened.put(key, first.value ?? Buffer.alloc(0), LONG_TYPE)
      const id = await ask(client.getMultipartUploadId(prefix + key, LONG_TYPE))
      try {
        const sent: { partNumber: number; etag: string }[] = []
        const send = async (part: Buffer) =>
          sent.push(await ask(client.uploadPart(prefix + key, id, part, sent.length + 1)))
        await send(first.value ?? Buffer.alloc(0))
        await send(second.value)
        for await (const part of parts) await send(part)
        await ask(client.completeMultipartUpload(prefix + key, id, sent))
      } catch (error) {
        // Parts that are left behind are invisible but paid for.
        await client.abortMultipartUpload(prefix + key, id).catch(() => undefined)
        throw error
      }
    },
    async list(beginning) {
      const objects: { name: string; bytes: number }[] = []
      let more: string | undefined
      do {
        const page = await ask(client.listObjectsPaged('/', prefix + beginning, 1000, more))
        if (!page) throw toRefusal(name, 'NoSuchBucket')
        for (const { Key, Size } of page.objects ?? []) {
          objects.push({ name: Key.slice(prefix.length), bytes: Size })
        }
        more = page.nextContinuationToken
      } while (more !== undefined)
      return objects
    },
    async find(key) {
      const response = await ask(client.getObjectResponse(prefix + key))
      if (!response?.body) return undefined
      return {
        body: Readable.fromWeb(response.body as NodeReadableStream),
        bytes: Number(response.headers.get('content-length')),
      }
    },
    async delete(key) {
      const work = client.deleteObject(prefix + key).catch((error: unknown) => {
        // Some stores report a missing key as an error.
        if (findStoreCode(error) !== 'NoSuchKey') throw error
      })
      await ask(work)
    },
    async check() {
      if ((await ask(client.listObjectsPaged('/', prefix, 1))) === null) throw toRefusal(name, 'NoSuchBucket')
    },
    async requireUsable() {
      try {
        await opened.put('probe', Buffer.from('Podkeeper looks whether it may write here'), 'text/plain')
        const found = await opened.find('probe')
        found?.body.destroy()
        await opened.delete('probe')
        await opened.check()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.refusal === undefined) return
        const what = advice[error.refusal]?.(settings) ?? 'Correct the settings whose names begin with S3_'
        throw new Error(`${error.message}\n${what}.`, { cause: error })
      }
    },
  }
  return opened
}

const LONG_TYPE = 'application/gzip'
/** Stores require parts of at least 5 MB, and at most 10,000 of them. */
const PART_BYTES = 8 * 2 ** 20

async function* toParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined, void> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks)
}

/** The time within which a response has to begin: sending a megabyte takes four seconds at two megabits per second. */
const RESPONSE_MS = 15_000
const PAUSE_MS = 200
const BUSY = new Set([500, 502, 503, 504])

/**
 * Sends a request, and once more when the store is busy or the connection breaks: all requests may be repeated. Stores
 * may close an idle connection just as it is reused, and may say that they are busy while they scale.
 */
async function fetchTwice(request: Parameters<typeof fetch>, responseMs: number): Promise<Response> {
  try {
    const response = await fetchInTime(request, responseMs)
    if (!BUSY.has(response.status)) return response
    await response.body?.cancel()
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw error
  }
  await pause(PAUSE_MS)
  return fetchInTime(request, responseMs)
}

/** Limits the time until the response begins; its body may take longer. */
async function fetchInTime([input, init]: Parameters<typeof fetch>, responseMs: number): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), responseMs)
  try {
    return await fetch(input, { ...init, signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the store's error code, such as NoSuchBucket, or the HTTP status when there is no code, as after HEAD.
 * Undefined for an error that is not a response of the store.
 */
function findStoreCode(error: unknown): string | undefined {
  if (!(error instanceof S3ServiceError)) return undefined
  return /<Code>(\w+)<\/Code>/.exec(error.body ?? '')?.[1] ?? String(error.status)
}

function toStoreError(name: string, error: unknown): StoreError {
  const code = findStoreCode(error)
  if (code !== undefined && error instanceof S3ServiceError && error.status < 500 && error.status !== 429) {
    return toRefusal(name, code, error)
  }
  return new StoreError(`${name} does not answer (${code ?? findReason(error)}).`, { cause: error })
}

function toRefusal(name: string, code: string, cause?: unknown): StoreError {
  return new StoreError(`${name} refuses this server (${code}).`, { refusal: code, cause })
}

/** Returns the cause that the system or the client gives, beneath "fetch failed". */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return findReason(error.cause)
  return findCode(error) ?? error.message
}

/** What an operator can do about an error, by its code. */
const advice: Record<string, (settings: S3Settings) => string> = {
  AccessDenied: ({ bucket }) =>
    `It allows this key too little: it needs s3:PutObject, s3:GetObject and s3:DeleteObject in the bucket ${bucket}, and s3:ListBucket of it`,
  AuthorizationHeaderMalformed: ({ region }) => `The bucket is not in ${region}: correct S3_REGION`,
  InvalidAccessKeyId: () => 'It does not know S3_ACCESS_KEY_ID',
  NoSuchBucket: ({ bucket }) => `It has no bucket ${bucket}: make it, or correct S3_BUCKET`,
  PermanentRedirect: ({ region }) => `The bucket is not in ${region}: correct S3_REGION and S3_ENDPOINT`,
  RequestTimeTooSkewed: () => "This machine's clock is wrong: set it",
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID',
}
