import { type RawBuilder, sql } from 'kysely'
import { toLikePattern } from '#server/db/ordered-list.ts'

/** An index by trigrams finds three letters anywhere, and fewer where a word begins: what it cannot find would be a scan. */
export function hasWord(column: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  if (!/^[a-z0-9]{1,2}$/i.test(word)) return sql`${column} ilike ${toLikePattern(word)}`
  const starts = [`${word}%`, `% ${word}%`, `%\n${word}%`].map((pattern) => sql`${column} ilike ${pattern}`)
  return sql`(${sql.join(starts, sql` or `)})`
}
