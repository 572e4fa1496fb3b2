import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import { type Search, type SearchedList, type SearchWord, selectFoundIds } from './search.ts'

const MOST_SPELLINGS = sql.lit(20)

/**
 * Returns the search with the names added that are one typo away from its words: a letter wrong, missing or too many,
 * or two neighbours swapped. Undefined when there are no such names, or when the list contains what was typed and only
 * its filters hide it.
 */
export async function findFuzzyMatches(db: Db, search: Search, list?: SearchedList): Promise<Search | undefined> {
  if (search.idPart?.whole !== undefined || !search.words.some(({ isOfLetters }) => isOfLetters)) return undefined
  const spellings = search.words.map(({ spellings: [word = ''], isOfLetters }) =>
    isOfLetters
      ? sql`array(select word from search_words
                   where word like any(${toTypoPatterns(word)}::text[]) and strpos(word, ${word}) = 0
                   order by similarity(word, ${word}) desc, word limit ${MOST_SPELLINGS})`
      : sql`array[]::text[]`,
  )
  const { rows } = await sql<{ is_there: boolean; spellings: string[][] }>`
    select ${list ? sql`exists (${selectFoundIds(list, search)})` : sql`false`} as is_there,
           json_build_array(${sql.join(spellings)}) as spellings`.execute(db)
  const [row] = rows
  if (!row || row.is_there || row.spellings.every((words) => words.length === 0)) return undefined
  const withTypos = (word: SearchWord, at: number) => ({
    ...word,
    spellings: [...word.spellings, ...(row.spellings[at] ?? [])],
  })
  return { words: search.words.map(withTypos), idPart: undefined }
}

/** Returns the names of customers, also those that they had before, as they are searched, in one text. */
export async function readNames(tx: Tx, userIds: readonly string[]): Promise<string> {
  const { rows } = await sql<{ names: string }>`
    select coalesce(string_agg(names, ' '), '') as names from (
      select names from users_search where id = any(${userIds}::uuid[])
       union all
      select search_text(concat_ws(' ', before ->> 'firstname', before ->> 'lastname')) from audit
       where entity = 'customer' and entity_id = any(${userIds}::uuid[]) and before ?| '{firstname,lastname}'
    ) as named`.execute(tx)
  return rows[0]?.names ?? ''
}

/** Removes the words of `names`, which records have lost, except for those that another record has. */
export async function forgetNames(tx: Tx, names: string): Promise<void> {
  await sql`
    delete from search_words
     where word = any(regexp_split_to_array(${names}, '[[:space:][:punct:]]+'))
       and not exists (
         select from search_texts where list not in ('bookings', 'transactions') and text like '%' || word || '%')`.execute(
    tx,
  )
}

/** Returns patterns of all words whose beginning is `word` but for a single typo. */
function toTypoPatterns(word: string): string[] {
  const letters = Array.from(word)
  return letters.flatMap((letter, at) => {
    const before = letters.slice(0, at).join('')
    const after = letters.slice(at + 1)
    const [next = '', ...rest] = after
    return [
      `${before}_${after.join('')}%`,
      `${before}${after.join('')}%`,
      `${before}_${letter}${after.join('')}%`,
      `${before}${next}${letter}${rest.join('')}%`,
    ]
  })
}
