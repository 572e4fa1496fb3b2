import { type RawBuilder, sql } from 'kysely'
import { toLikePattern } from '#server/db/ordered-list.ts'
import { isId } from '#server/ids.ts'

const MOST_WORDS = 6

/** What a person typed, as conditions of queries. */
export type SearchTerms = {
  /** The words are all somewhere in the text, parts of words too, in any order; one or two letters where a word begins. */
  isIn(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** The text begins with the first word: such a hit stands first. */
  begins(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** The text is an id, or enough of one to look for it. */
  isId(id: RawBuilder<unknown>): RawBuilder<boolean>
  /** A whole id: nothing but ids can match. */
  isWholeId: boolean
}

export function toSearchTerms(text: string): SearchTerms {
  const words = text.split(/\s+/).slice(0, MOST_WORDS)
  const isWholeId = isId(text)
  const isPartOfId = /^[0-9a-f-]{4,36}$/i.test(text)
  return {
    isIn: (column) =>
      isWholeId
        ? sql`false`
        : sql.join(
            words.map((word) => hasWord(column, word)),
            sql` and `,
          ),
    begins: (column) => sql`${column} ilike ${toLikePattern(words[0] ?? '').slice(1)}`,
    isId: (column) => {
      if (isWholeId) return sql`${column} = ${text}`
      return isPartOfId ? sql`${column}::text ilike ${toLikePattern(text)}` : sql`false`
    },
    isWholeId,
  }
}

/** An index by trigrams finds three letters anywhere, and fewer where a word begins: what it cannot find would be a scan. */
function hasWord(column: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  if (!/^[a-z0-9]{1,2}$/i.test(word)) return sql`${column} ilike ${toLikePattern(word)}`
  const starts = [`${word}%`, `% ${word}%`, `%\n${word}%`].map((pattern) => sql`${column} ilike ${pattern}`)
  return sql`(${sql.join(starts, sql` or `)})`
}
