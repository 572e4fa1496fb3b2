import { type Kysely, sql } from 'kysely'

/**
 * One or two letters are looked for where a word begins. To an index by trigrams the parts of an email address are words
 * too: of `co` or `27` it finds nearly every customer, and each is then looked at, for a second. This one has the first
 * letter and the first two of each word, as a search splits them, and so finds none but those.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Costly to the planner, so that it asks the index rather than each row.
  `create function word_starts(words text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
    select array_agg(left(word, 1)) || array_agg(left(word, 2))
      from string_to_table(translate(lower(words), E'\\n', ' '), ' ') as word
  $$`,
  // The searches of users by one or two letters; the users' repository has the same expression.
  `create index users_word_starts_idx on users using gin (word_starts(
    firstname || ' ' || lastname || E'\\n' || email || E'\\n' || username || E'\\n' || mobile
  ))`,
]
