import { type Kysely, sql } from 'kysely'

/**
 * Adds an index for searches of one or two letters, which match only at the beginning of a word. To a trigram index the
 * parts of an email address are words too: for `co` or `27` it finds nearly every customer, and checking each of them
 * takes a second. This index has the first letter and the first two letters of each word, split as the search splits
 * them, and finds only real matches.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The high cost makes the planner use the index rather than check each row.
  `create function word_starts(words text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
    select array_agg(left(word, 1)) || array_agg(left(word, 2))
      from string_to_table(translate(lower(words), E'\\n', ' '), ' ') as word
  $$`,
  // To search users by one or two letters.
  `create index users_word_starts_idx on users using gin (word_starts(
    firstname || ' ' || lastname || E'\\n' || email || E'\\n' || username || E'\\n' || mobile
  ))`,
]
