import { IDLE_HEADER, TAB_HEADER } from '#contract/headers.ts'
import { type Route, routes, takesKey } from '#contract/routes.ts'
import { learnServerTime } from '#web/lib/server-time.ts'
import { ApiError, confirmationCancelled, networkError, toApiError } from './api-error.ts'
import { askForConfirmation } from './confirmation.ts'
import { createKey, keepIdempotencyKey } from './idempotency-key.ts'
import { learnIdleEnd, readIdleSeconds } from './idle.ts'
import { headerOf, readResponse, readText } from './read-response.ts'
import type {
  ApiResponse,
  Domain,
  EndpointName,
  RequestArguments,
  RequestOptions,
  ResponseOf,
} from './request-types.ts'
import { CHANGE_RETRIES_AFTER_MS, CREATION_RETRIES_AFTER_MS, isLost, sendWithRetries } from './retry.ts'
import {
  expireSession,
  getSession,
  hasNewToken,
  isSamePerson,
  requireSecondFactor,
  type Session,
  setMustSetUp,
  updateAccess,
} from './session.ts'
import { tabId } from './tab.ts'

const BASE = '/api'

/** On a connection that has died without a word, no response ever comes, nor an error. */
const RESPONDS_WITHIN_MS = 60_000

const JSON_TYPE = 'application/json'

type QueryValues = Record<string, string | number | boolean | null | undefined>

type AnyOptions = {
  params?: Record<string, string> | undefined
  query?: QueryValues | undefined
  body?: unknown
  version?: number | undefined
  signal?: AbortSignal | undefined
}

/** Sends a request to the API. Throws an ApiError, or the signal's reason when it was aborted. */
export async function api<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  ...[options]: RequestArguments<D, N>
): Promise<ApiResponse<ResponseOf<D, N>>> {
  const response = await send(domain, name, options)
  const text = await readText(response)
  // The server serialises every response with the contract's schema.
  return readResponse(name, text, response, options) as ApiResponse<ResponseOf<D, N>>
}

/** Like `api`, but returns the response itself, to be read as a stream. */
export async function send<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  options: RequestOptions<D, N> | undefined,
  { accept = JSON_TYPE }: { accept?: string } = {},
): Promise<Response> {
  const route = routeOf(domain, name)
  // RequestOptions has these same fields with types that depend on the endpoint, which do not matter here.
  const request = { route, accept, options: (options ?? {}) as AnyOptions }
  if (!takesKey(route)) return sendConfirmed(request, [])
  const sender = getSession()
  const { params, query, body, version } = request.options
  const pausesMs = route.idempotent ? CREATION_RETRIES_AFTER_MS : CHANGE_RETRIES_AFTER_MS
  // A lost change may otherwise be repeated on purpose later, so it gets a new key.
  if (!route.idempotent && !happensOnce(route, request.options))
    return sendConfirmed({ ...request, key: createKey(), sender }, pausesMs)
  const { key, forget } = await keepIdempotencyKey(
    `${route.method} ${urlOf(route, params, query)} ${toText(body)} ${version ?? ''}`,
  )
  try {
    const response = await sendConfirmed({ ...request, key, sender }, pausesMs)
    forget()
    return response
  } catch (error) {
    // A lost request may have arrived: keep the key, so that sending it again does nothing twice.
    if (!isLost(error)) forget()
    throw error
  }
}

/** Returns whether a change sent again is meant to be the same: a version is changed once, and a change undone once. */
function happensOnce(route: Route, { version, body }: AnyOptions): boolean {
  const hasVersion = version !== undefined || (typeof body === 'object' && body !== null && 'version' in body)
  return hasVersion || route === routes.audit.undo
}

/** `sender` is set for requests that are retried: whose they are. */
type AnyRequest = { route: Route; options: AnyOptions; accept: string; key?: string; sender?: Session | undefined }

/** Sends a request; if the server asks for the password again, repeats it after the person gave it (rules §33.6). */
async function sendConfirmed(request: AnyRequest, pausesMs: readonly number[]): Promise<Response> {
  const sendRequest = () => sendWithRetries(() => sendOnce(request), pausesMs, request.options.signal)
  try {
    return await sendRequest()
  } catch (error) {
    const isAsked = error instanceof ApiError && error.code === 'confirmation_required'
    if (!isAsked) throw error
    if (!(await askForConfirmation())) throw confirmationCancelled()
    return sendRequest()
  }
}

const toText = (body: unknown) => (body === undefined ? '' : JSON.stringify(body))

async function sendOnce(request: AnyRequest): Promise<Response> {
  const { route, accept, key, options, sender } = request
  const { params, query, body, version, signal } = options
  // Nobody's change is retried in the name of whoever has signed in since.
  if (sender && !isSamePerson(getSession(), sender)) throw networkError()
  const token = tokenFor(route)
  const sentWith = getSession()
  const idle = readIdleSeconds()
  let response: Response
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), RESPONDS_WITHIN_MS)
  try {
    response = await fetch(urlOf(route, params, query), {
      method: route.method,
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        ...(route.method === 'GET' ? {} : { [TAB_HEADER]: tabId }),
        ...(token === undefined || idle < 60 ? {} : { [IDLE_HEADER]: String(idle) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? null : toText(body),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    // A response that breaks off or stands still is lost as well, and a change has to be sent again with its key.
    if (response.ok && accept === JSON_TYPE) response = new Response(toBody(await response.text()), response)
  } catch (error) {
    if (signal?.aborted) throw error
    throw networkError()
  } finally {
    clearTimeout(timer)
  }
  followServer(response, token, sentWith?.viewAs)
  if (response.ok) return response
  const error = toApiError(response.status, await readText(response), headerOf(response))
  const isRefused = error.code === 'not_signed_in' || error.code === 'confirmation_required'
  if (token !== undefined && isRefused && sentWith && hasNewToken(sentWith)) return sendOnce(request)
  throw followError(error, token)
}

type UploadOptions = {
  form: FormData
  /** Share of the bytes sent, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal | undefined
}

/**
 * Sends a form with XMLHttpRequest, because fetch does not report upload progress. Throws as `api` does, and a network
 * error when nothing has moved for a minute.
 */
export function upload<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  { form, onProgress, signal }: UploadOptions,
): Promise<ApiResponse<ResponseOf<D, N>>> {
  const route = routeOf(domain, name)
  const token = tokenFor(route)
  const viewAs = getSession()?.viewAs
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open(route.method, urlOf(route))
    request.setRequestHeader('accept', JSON_TYPE)
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`)
    let timer: number | undefined
    const waitForMore = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        reject(networkError())
        request.abort()
      }, RESPONDS_WITHIN_MS)
    }
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      waitForMore()
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('load', () => {
      const { status, responseText } = request
      const headers = new Headers(parseHeaders(request.getAllResponseHeaders()))
      const response = new Response(toBody(responseText), { status: status < 200 ? 502 : status, headers })
      followServer(response, token, viewAs)
      if (!response.ok) return reject(followError(toApiError(status, responseText, headerOf(response)), token))
      try {
        // The server serialises every response with the contract's schema.
        resolve(readResponse(name, responseText, response) as ApiResponse<ResponseOf<D, N>>)
      } catch (error) {
        reject(error)
      }
    })
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError')))
    request.addEventListener('loadend', () => window.clearTimeout(timer))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    waitForMore()
    request.send(form)
  })
}

/** Returns the path and query of a request, also for URLs that are shown or opened rather than fetched. */
export function urlOf(route: Route, params: Record<string, string> = {}, query: QueryValues = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return `${BASE}${path}${search.size === 0 ? '' : `?${search}`}`
}

function routeOf<D extends Domain>(domain: D, name: EndpointName<D>): Route {
  // Endpoints are built from these routes, so every endpoint name exists here.
  return (routes[domain] as Record<string, Route>)[name] as Route
}

function tokenFor(route: Route): string | undefined {
  return route.access === 'public' ? undefined : getSession()?.token
}

/**
 * Learns the server's time and the session's end from a response's headers, and updates the session's access, so that
 * the menu changes without a new sign-in (rules §2.4). Ignores responses to requests that were sent with another token
 * or another `viewAs`.
 */
function followServer(response: Response, token: string | undefined, viewAs: string | null | undefined): void {
  const pages = response.headers.get('x-auth-pages')
  const session = getSession()
  if (pages !== null) learnServerTime(response.headers.get('date'))
  if (pages === null || token === undefined || token !== session?.token || viewAs !== session.viewAs) return
  learnIdleEnd(response.headers.get('x-auth-idle-until'))
  updateAccess({
    pages: pages.split(','),
    viewOnlyPages: response.headers.get('x-auth-view-only')?.split(',') ?? [],
    locations: response.headers.get('x-auth-locations')?.split(',') ?? null,
    viewAs: response.headers.get('x-auth-view-as'),
  })
}

/**
 * Ends the session on `not_signed_in` (rules §2.2), and restricts it when a password or a second factor must be set up.
 * Ignores errors of requests that were sent with another token.
 */
function followError(error: ApiError, token: string | undefined): ApiError {
  if (token !== getSession()?.token) return error
  if (error.code === 'not_signed_in') expireSession()
  if (error.code === 'new_password_required') setMustSetUp('password')
  if (error.code === 'second_factor_setup_required') requireSecondFactor()
  return error
}

/** A response of 204, which something in between may give, can be made without a body only. */
const toBody = (text: string) => text || null

function parseHeaders(lines: string): [string, string][] {
  return lines
    .split('\r\n')
    .filter(Boolean)
    .map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
}
