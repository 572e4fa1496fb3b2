import { type RawBuilder, sql } from 'kysely'
import { isId } from '#server/ids.ts'

/** An id, its beginning, its end, or both as the portal shows a shortened id: 'a1b2c3…9f0e'. */
export type IdPart = { whole?: string; head?: { first: string; last: string }; tail?: string; isBoth?: boolean }

const LOWEST = '00000000-0000-0000-0000-000000000000'
const HIGHEST = LOWEST.replaceAll('0', 'f')
/** As many characters as the portal shows of a shortened id. */
const SHORTEST_HEAD = 6
const SHORTEST_TAIL = 4

export function toIdPart(text: string): IdPart | undefined {
  const typed = text.trim().toLowerCase()
  if (isId(typed)) return { whole: typed }
  const [, shownHead = '', shownTail = ''] = /^([0-9a-f-]+)(?:…|\.\.\.)([0-9a-f-]+)$/.exec(typed) ?? []
  if (shownHead !== '') return onlyIf({ ...toHead(shownHead), ...toTail(shownTail), isBoth: true })
  return onlyIf({ ...toHead(typed), ...toTail(typed) })
}

/**
 * Returns the condition that the id has this part. Both ends use an index: the beginning as a range of the key, the end
 * by the reversed id.
 */
export function hasIdPart(id: RawBuilder<unknown>, { whole, head, tail, isBoth }: IdPart): RawBuilder<boolean> {
  if (whole !== undefined) return sql`${id} = ${whole}`
  const parts = [
    head && sql`${id} between ${head.first} and ${head.last}`,
    tail !== undefined && sql`reverse(${id}::text) like ${`${Array.from(tail).reverse().join('')}%`}`,
  ].filter((part) => part !== false && part !== undefined)
  return sql`(${sql.join(parts, isBoth === true ? sql` and ` : sql` or `)})`
}

function toHead(text: string): Pick<IdPart, 'head'> {
  const first = text + LOWEST.slice(text.length)
  if (text.length < SHORTEST_HEAD || !isUuid(first)) return {}
  return { head: { first, last: text + HIGHEST.slice(text.length) } }
}

function toTail(text: string): Pick<IdPart, 'tail'> {
  return text.length >= SHORTEST_TAIL && isUuid(LOWEST.slice(0, -text.length) + text) ? { tail: text } : {}
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function onlyIf(part: IdPart): IdPart | undefined {
  const needed = part.isBoth === true ? part.head && part.tail : (part.head ?? part.tail)
  return needed === undefined ? undefined : part
}
