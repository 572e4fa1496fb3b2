import { networkError, toApiError } from './api-error.ts'
import type { ApiResponse, Undo } from './request-types.ts'

type RequestSent = { params?: Record<string, string> | undefined; query?: Record<string, unknown> | undefined }

/** Returns the body of a response. Throws a network error when it breaks off, and the signal's when it was aborted. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw networkError()
  }
}

/**
 * Returns the data and headers of a successful response of an endpoint, which is called `name` in its domain. Throws an
 * ApiError when it is not from the API, such as the log-in page of a hotel's network.
 */
export function readResponse(
  name: string,
  text: string,
  response: Response,
  request: RequestSent = {},
): ApiResponse<unknown> {
  const data = parseJson(text)
  if (!isFromApi(name, data)) throw toApiError(response.status, '', headerOf(response))
  return { data, ...readHeaders(response.headers, request) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every response is an object or an array. Those of all endpoints called `list` are arrays, or have one in `data`. */
function isFromApi(name: string, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return name !== 'list' || Array.isArray('data' in data ? data.data : data)
}

function readHeaders(headers: Headers, { params, query }: RequestSent): Omit<ApiResponse<unknown>, 'data'> {
  const total = headers.get('x-total-count')
  const search = query?.search
  return {
    // '10000+' when there are more; parseInt ignores the plus.
    total: total === null ? undefined : Number.parseInt(total, 10),
    isAtLeast: total?.endsWith('+') ?? false,
    version: readVersion(headers.get('etag')),
    recordId: params?.id,
    undo: readUndo(headers),
    similarTo: headers.get('x-search-match') === 'alike' && typeof search === 'string' ? search : undefined,
  }
}

function readUndo(headers: Headers): Undo | undefined {
  const id = headers.get('x-undo-id')
  return id === null ? undefined : { id, scope: headers.get('x-undo-scope') === 'request' ? 'request' : undefined }
}

/** Returns the version in an ETag. Accepts weak ETags, which compressing proxies make of strong ones. */
function readVersion(etag: string | null): number | undefined {
  const version = /^(?:W\/)?"(\d+)"$/.exec(etag ?? '')?.[1]
  return version === undefined ? undefined : Number(version)
}

export function headerOf(response: Response): (name: string) => string | null {
  return (name) => response.headers.get(name)
}
