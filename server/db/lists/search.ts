import { type RawBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import { hasIdPart, type IdPart, toIdPart } from './id-part.ts'
import { toSearchText, toSearchWords } from './search-words.ts'

/** The tables that can be searched; each has its texts in a partition of search_texts (migration 011). */
export const searchedLists = [
  'bookings',
  'transactions',
  'users',
  'companies',
  'staff',
  'pods',
  'locations',
  'features',
] as const
export type SearchedList = (typeof searchedLists)[number]

/** What a person typed. It finds records whose text has a spelling of each word, or whose id has `idPart`. */
export type Search = { words: SearchWord[]; idPart: IdPart | undefined }

/** A word's spellings in the form of the search texts; the first is the one that was typed. */
export type SearchWord = { spellings: string[]; isOfLetters: boolean }

const MOST_WORDS = 6

/**
 * Limits each server to two searches at a time: a search takes as long as several other reads, so other requests wait
 * behind two at most. Each kind of record that the header searches counts as one.
 */
export const searching = pLimit(2)

/** Returns undefined when nothing is searched for. */
export function toSearch(typed: string | undefined): Search | undefined {
  const words = toSearchWords(typed ?? '').slice(0, MOST_WORDS)
  if (typed === undefined || words.length === 0) return undefined
  return {
    words: words.map((spellings) => ({
      spellings: spellings.map(toSearchText),
      isOfLetters: spellings.every((word) => /^\p{L}{4,40}$/u.test(word)),
    })),
    idPart: toIdPart(typed),
  }
}

/**
 * Returns the condition that a row of the list is found; always true without a search. The query must use the table
 * under its own name.
 */
export function isFound(list: SearchedList, search: Search | undefined): RawBuilder<boolean> {
  if (!search) return sql`true`
  const id = sql.ref(`${list}.id`)
  // With a whole id nothing else can match, except a payment's checkout or merchant id, which may look the same.
  if (search.idPart?.whole !== undefined && list !== 'transactions') return hasIdPart(id, search.idPart)
  return sql`${id} in (${selectFoundIds(list, search)})`
}

/** Selects the ids found by text or by part of an id; an id found by both comes twice. */
export function selectFoundIds(list: SearchedList, { words, idPart }: Search): RawBuilder<unknown> {
  const byText = sql`select record_id from ${sql.table(`${list}_search_texts`)} where ${matchesWords(sql`text`, words)}`
  if (!idPart) return byText
  return sql`${byText} union all select id from ${sql.table(list)} where ${hasIdPart(sql`id`, idPart)}`
}

function matchesWords(text: RawBuilder<unknown>, words: readonly SearchWord[]): RawBuilder<boolean> {
  return sql`${sql.join(
    words.map((word) => matchesWord(text, word)),
    sql` and `,
  )}`
}

function matchesWord(text: RawBuilder<unknown>, { spellings }: SearchWord): RawBuilder<boolean> {
  return sql`(${sql.join(
    spellings.map((spelling) => sql`${text} like ${toWordPattern(spelling)}`),
    sql` or `,
  )})`
}

/** Counts the words of a search that a name itself has; the rest was found in the record's other fields. */
export function countWordsIn(name: RawBuilder<unknown>, { words }: Search): RawBuilder<number> {
  return sql`${sql.join(
    words.map((word) => sql`${matchesWord(sql`search_text(${name})`, word)}::int`),
    sql` + `,
  )}`
}

/** A word of one or two letters or digits, except those that stand for a sign. */
const SHORT_WORD = /^(?!zq|qz|zj|jz)[a-z0-9]{1,2}$/

/**
 * Returns the word's `like` pattern. One or two letters are looked for at the beginning of a word only, as elsewhere
 * the index needs three.
 */
function toWordPattern(word: string): string {
  return SHORT_WORD.test(word) ? `% ${word}%` : toLikePattern(word)
}

/** Returns a `like` pattern for text anywhere in a column; what a person types is never a wildcard (rules §12.5). */
export function toLikePattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
}
