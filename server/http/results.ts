import type { Readable } from 'node:stream'
import type { List } from '#server/db/lists/define-list.ts'
import { isPage, type PageQuery } from '#server/db/lists/pagination.ts'
import type { Total } from '#server/db/lists/row-counts.ts'

/**
 * Results that a handler may return instead of a plain body: a list page, a whole list in batches, a file, or events.
 */

const PAGED = Symbol('paged')
const STREAMED = Symbol('streamed')
const FILE = Symbol('file')
const EVENTS = Symbol('events')

/**
 * A list page; the total is sent as X-Total-Count (rules §12.1). `isFuzzy`: nothing matched the search as it is
 * spelled, and these rows match it with a typo; sent as X-Search-Match.
 */
export type Paged<T> = { [PAGED]: true; rows: T[]; total: Total | undefined; isFuzzy?: boolean }
/** The whole list, in batches, never all in memory at once. */
export type Streamed<T> = { [STREAMED]: true; batches: AsyncIterable<T[]> }
/** Server-sent events, until the stream or the client ends them. */
export type EventStream = { [EVENTS]: true; body: Readable }
export type FileDownload = { [FILE]: true; filename: string; contentType: string; body: Readable }

export function paged<T>(page: Omit<Paged<T>, typeof PAGED>): Paged<T> {
  return { ...page, [PAGED]: true }
}

function streamed<T>(batches: AsyncIterable<T[]>): Streamed<T> {
  return { [STREAMED]: true, batches }
}

/** Returns the page that the query asks for, or the whole list. */
export async function listed<T>(query: PageQuery, list: List<T>): Promise<Paged<T> | Streamed<T>> {
  return isPage(query) ? paged(await list.readPage()) : streamed(list.readBatches())
}

export function fileDownload(filename: string, contentType: string, body: Readable): FileDownload {
  return { [FILE]: true, filename, contentType, body }
}

export function eventStream(body: Readable): EventStream {
  return { [EVENTS]: true, body }
}

export function isPaged(value: unknown): value is Paged<unknown> {
  return typeof value === 'object' && value !== null && PAGED in value
}

export function isStreamed(value: unknown): value is Streamed<unknown> {
  return typeof value === 'object' && value !== null && STREAMED in value
}

export function isFileDownload(value: unknown): value is FileDownload {
  return typeof value === 'object' && value !== null && FILE in value
}

export function isEventStream(value: unknown): value is EventStream {
  return typeof value === 'object' && value !== null && EVENTS in value
}
