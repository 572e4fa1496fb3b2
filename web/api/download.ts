import { csvSeparatorChoice } from '#web/lib/browser-choice.ts'
import { networkError } from './api-error.ts'
import { send } from './client.ts'
import type { Domain, EndpointName, RequestOptions } from './request-types.ts'

/**
 * Downloads a file from the API, such as an export, under the name that the server gave. A plain link cannot carry the
 * bearer token, so the response is streamed into a Blob, which the browser keeps on disk when it is large.
 * `onProgress` gets the bytes received so far. Throws as `api` does.
 */
export async function download<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  options: RequestOptions<D, N>,
  onProgress: (bytes: number) => void,
): Promise<{ filename: string }> {
  // Every file has it in its query (rules §13.5).
  const query = { ...options.query, separator: csvSeparatorChoice.read() }
  const withSeparator = { ...options, query } as RequestOptions<D, N>
  const response = await send(domain, name, withSeparator, { accept: 'text/csv' })
  const filename = parseFilename(response.headers.get('content-disposition')) ?? `${domain}.csv`
  const counted = response.body?.pipeThrough(countBytes(onProgress)) ?? null
  let file: Blob
  try {
    file = await new Response(counted, { headers: response.headers }).blob()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw networkError()
  }
  saveFile(file, filename)
  return { filename }
}

function countBytes(onProgress: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      onProgress(bytes)
      controller.enqueue(chunk)
    },
  })
}

export function saveFile(file: Blob, filename: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function parseFilename(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}
