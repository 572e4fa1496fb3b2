import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#server/db/client.ts'
import { type Page, toLikePattern } from '#server/db/ordered-list.ts'
import { hasAlikeWord, isSpelledWord } from './alike-words.ts'
import { hasWord, type IndexedText, isShortWord, startsShortWord } from './has-word.ts'
import { hasIdPart, toIdPart } from './id-part.ts'

const MOST_WORDS = 6

/** What a person typed, as conditions of queries. */
export type SearchTerms = {
  /** The words are all somewhere in the text, parts of words too, in any order; one or two letters where a word begins. */
  isIn(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** The same, for queries that look for the rows by the text's indexes. */
  isFoundIn(text: IndexedText): RawBuilder<boolean>
  /** The text begins with the first word: such a hit stands first. */
  begins(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** The text is an id, or enough of one to look for it. */
  isId(id: RawBuilder<unknown>): RawBuilder<boolean>
  /** A whole id: nothing but ids can match. */
  isWholeId: boolean
  /** What was typed could be an id or a part of one. */
  isIdLike: boolean
  /** Words may be misspelled by a letter. */
  isAlike: boolean
  /** Some word has a letter or two, which may begin a word in most rows. */
  hasShortWord: boolean
  /** All words have. */
  hasShortWordsOnly: boolean
}

export function toSearchTerms(text: string): SearchTerms {
  return toTerms(text, hasWord, false)
}

/**
 * The terms that a list shall be searched by: as they are spelled where that finds anything, else by words that are
 * spelled alike, where that does. `choose` looks; ids and what is no word need no look. Undefined without a search.
 */
export async function chooseTerms(
  search: string | undefined,
  choose: (exact: SearchTerms, alike: SearchTerms) => Promise<SearchTerms>,
): Promise<SearchTerms | undefined> {
  if (!search) return undefined
  const exact = toSearchTerms(search)
  if (exact.isWholeId || !toWords(search).some(isSpelledWord)) return exact
  return choose(exact, toTerms(search, hasAlikeWord, true))
}

/** The same, by whether there are rows; one query. */
export function chooseTermsOf<DB, TB extends keyof DB>(
  db: Db,
  search: string | undefined,
  toRows: (terms: SearchTerms) => SelectQueryBuilder<DB, TB, object>,
): Promise<SearchTerms | undefined> {
  return chooseTerms(search, async (exact, alike) => {
    const { rows } = await sql<{ is_alike: boolean }>`
      select ${isAlikeOnly(exact, alike, toRows)} as is_alike`.execute(db)
    return rows[0]?.is_alike === true ? alike : exact
  })
}

/** That no row is spelled so, but some are alike. */
export function isAlikeOnly<DB, TB extends keyof DB>(
  exact: SearchTerms,
  alike: SearchTerms,
  toRows: (terms: SearchTerms) => SelectQueryBuilder<DB, TB, object>,
): RawBuilder<boolean> {
  const exists = (terms: SearchTerms) => sql<boolean>`exists ${toRows(terms).select(sql`1`.as('found'))}`
  return sql`case when ${exists(exact)} then false else ${exists(alike)} end`
}

/** That a row is found: by words in its texts, or by its id. Every row without terms. */
export function isFoundBy(
  terms: SearchTerms | undefined,
  texts: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return terms ? sql`(${terms.isIn(texts)} or ${terms.isId(id)})` : sql`true`
}

/** A page of a list, and whether its search was taken for misspelled. */
export type Found<Row> = Page<Row> & { isAlike: boolean }

type HasWord = typeof hasWord

function toTerms(text: string, hasThis: HasWord, isAlike: boolean): SearchTerms {
  const words = toWords(text)
  const idPart = toIdPart(text)
  const isWholeId = idPart?.whole !== undefined
  const haveAll = (has: (word: string) => RawBuilder<boolean>) =>
    isWholeId ? sql<boolean>`false` : sql<boolean>`(${sql.join(words.map(has), sql` and `)})`
  return {
    isIn: (text) => haveAll((word) => hasThis(text, word)),
    isFoundIn: (indexed) =>
      haveAll((word) => (isShortWord(word) ? startsShortWord(indexed, word) : hasThis(indexed.text, word))),
    begins: (column) => sql`${column} ilike ${toLikePattern(words[0] ?? '').slice(1)}`,
    isId: (column) => (idPart ? hasIdPart(column, idPart) : sql`false`),
    isWholeId,
    isIdLike: idPart !== undefined,
    isAlike,
    hasShortWord: words.some(isShortWord),
    hasShortWordsOnly: words.every(isShortWord),
  }
}

function toWords(text: string): string[] {
  return text.trim().split(/\s+/).slice(0, MOST_WORDS)
}
