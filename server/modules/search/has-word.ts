import { type RawBuilder, sql } from 'kysely'
import { toLikePattern } from '#server/db/ordered-list.ts'

/** Too short for an index by trigrams to find it inside a word. */
export function isShortWord(word: string): boolean {
  return /^[a-z0-9]{1,2}$/i.test(word)
}

/** A text whose rows an index finds by one or two letters too: `wordStarts` is how its words begin (word_starts of the database). */
export type IndexedText = { text: RawBuilder<unknown>; wordStarts: RawBuilder<unknown> }

/** The same for a short word, by the index; in what looks at row after row it is slower. */
export function startsShortWord({ wordStarts }: IndexedText, word: string): RawBuilder<boolean> {
  return sql`${wordStarts} @> ${[word.toLowerCase()]}::text[]`
}

/** An index by trigrams finds three letters anywhere, and fewer where a word begins: what it cannot find would be a scan. */
export function hasWord(column: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  if (!isShortWord(word)) return sql`${column} ilike ${toLikePattern(word)}`
  const starts = [`${word}%`, `% ${word}%`, `%\n${word}%`].map((pattern) => sql`${column} ilike ${pattern}`)
  return sql`(${sql.join(starts, sql` or `)})`
}
