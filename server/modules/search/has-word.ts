import { type RawBuilder, sql } from 'kysely'
import { toLikePattern } from '#server/db/ordered-list.ts'

/** Too short for an index by trigrams to find it inside a word. */
export function isShortWord(word: string): boolean {
  return /^[a-z0-9]{1,2}$/i.test(word)
}

/** An index by trigrams finds three letters anywhere, and fewer where a word begins: what it cannot find would be a scan. */
export function hasWord(column: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  if (!isShortWord(word)) return sql`${column} ilike ${toLikePattern(word)}`
  const starts = [`${word}%`, `% ${word}%`, `%\n${word}%`].map((pattern) => sql`${column} ilike ${pattern}`)
  return sql`(${sql.join(starts, sql` or `)})`
}
