import { type RawBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import { hasIdPart, type IdPart, toIdPart } from './id-part.ts'
import { toSearchText, toSearchWords } from './search-words.ts'

/** The tables whose records are searched; each has its texts in a part of search_texts (migration 011). */
export type SearchedList =
  | 'bookings'
  | 'transactions'
  | 'users'
  | 'companies'
  | 'staff'
  | 'pods'
  | 'locations'
  | 'features'

/** What a person typed: a record is found that has a spelling of each word in its text, or whose id it is a part of. */
export type Search = { words: SearchWord[]; idPart: IdPart | undefined }

/** As it stands in texts, first as it was typed. */
export type SearchWord = { spellings: string[]; isOfLetters: boolean }

const MOST_WORDS = 6

/**
 * A search takes as long as several other reads: two at a time in each server, so that whoever asks for something else waits behind
 * two at most, however many are sent. Each kind of record that the header searches is one.
 */
export const searching = pLimit(2)

/** Undefined where nothing is searched for. */
export function toSearch(typed: string | undefined): Search | undefined {
  const words = toSearchWords(typed ?? '').slice(0, MOST_WORDS)
  if (typed === undefined || words.length === 0) return undefined
  return {
    words: words.map((word) => ({ spellings: [toSearchText(word)], isOfLetters: /^\p{L}{4,40}$/u.test(word) })),
    idPart: toIdPart(typed),
  }
}

/** That a row of the list, in the query by its own name, is found. Every row without a search. */
export function isFound(list: SearchedList, search: Search | undefined): RawBuilder<boolean> {
  if (!search) return sql`true`
  const id = sql.ref(`${list}.id`)
  // A whole id: nothing else can match.
  if (search.idPart?.whole !== undefined) return hasIdPart(id, search.idPart)
  return sql`${id} in (${selectFoundIds(list, search)})`
}

/** One that is found by its text and by its id comes twice. */
export function selectFoundIds(list: SearchedList, { words, idPart }: Search): RawBuilder<unknown> {
  const byText = sql`select record_id from ${sql.table(`${list}_search_texts`)} where ${matchesWords(sql`text`, words)}`
  if (!idPart) return byText
  return sql`${byText} union all select id from ${sql.table(list)} where ${hasIdPart(sql`id`, idPart)}`
}

function matchesWords(text: RawBuilder<unknown>, words: readonly SearchWord[]): RawBuilder<boolean> {
  const matches = ({ spellings }: SearchWord) =>
    sql`(${sql.join(
      spellings.map((spelling) => sql`${text} like ${toWordPattern(spelling)}`),
      sql` or `,
    )})`
  return sql`${sql.join(words.map(matches), sql` and `)}`
}

/** One or two letters; what stands for a sign is none. */
const SHORT_WORD = /^(?!zq|qz|zj|jz)[a-z0-9]{1,2}$/

/** The index finds three letters anywhere, and fewer where a word begins. */
function toWordPattern(word: string): string {
  return SHORT_WORD.test(word) ? `% ${word}%` : toLikePattern(word)
}

/** A `like` pattern for text anywhere in a column; what a person types is never a wildcard (rules §12.5). */
export function toLikePattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
}
