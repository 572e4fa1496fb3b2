import { type Kysely, sql } from 'kysely'

/**
 * Searches look through one text per record, whatever tables it comes from: lower-cased, without accents, with a blank
 * between words and in front. Triggers keep the texts, so that no writer can forget them (docs/decisions/015).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * Signs within addresses and codes. Each is written as two letters that occur together in no word, so that the index
 * sees an address as one word, and not every customer has the words `example` and `com`.
 */
const signs = { '.': 'zq', '@': 'qz', '-': 'zj', _: 'jz', '’': "''" }
const withoutSigns = Object.entries(signs).reduce(
  (text, [sign, letters]) => `replace(${text}, '${sign}', '${letters}')`,
  '$1',
)

type List = {
  table: string
  /** The texts by which a record is found, and the tables they come from. */
  text: string
  from: string
  /** The record's own columns that the text depends on. */
  columns: string
  /** Texts whose words are also found with a typo. */
  names?: string
}

const person = (table: string, phone: string) =>
  `${table}.firstname, ${table}.lastname, ${table}.email, search_phone(${table}.${phone})`

/** The texts of a booking's pod, location and owner, and the joins to them. */
export const ofBooking = `pods.title, locations.name, locations.city, ${person('users', 'mobile')}, ${person('staff', 'phone_number')}`
export const besideBooking = `
  left join pods on pods.id = bookings.pod_id
  left join locations on locations.id = bookings.location_id
  left join users on users.id = bookings.user_id
  left join staff on staff.id = bookings.staff_id`

const lists: List[] = [
  {
    table: 'users',
    text: `${person('users', 'mobile')}, users.username`,
    from: 'users',
    columns: 'firstname, lastname, email, mobile, username',
    names: 'users.firstname, users.lastname',
  },
  {
    table: 'staff',
    text: `${person('staff', 'phone_number')}, staff.role`,
    from: 'staff',
    columns: 'firstname, lastname, email, phone_number, role',
    names: 'staff.firstname, staff.lastname',
  },
  {
    table: 'locations',
    text: 'name, street, city, state, zip, country_code',
    from: 'locations',
    columns: 'name, street, city, state, zip, country_code',
    names: 'name, street, city',
  },
  { table: 'features', text: 'name', from: 'features', columns: 'name', names: 'name' },
  {
    table: 'pods',
    text: 'pods.title, locations.name, locations.city',
    from: 'pods join locations on locations.id = pods.location_id',
    columns: 'title, location_id',
    names: 'pods.title',
  },
  {
    table: 'bookings',
    text: `bookings.purpose, ${ofBooking}`,
    from: `bookings ${besideBooking}`,
    columns: 'purpose, pod_id, location_id, user_id, staff_id',
  },
  {
    table: 'transactions',
    text: `transactions.checkout_id, transactions.merchant_id, transactions.payment_facilitator, ${ofBooking}`,
    from: `transactions left join bookings on bookings.id = transactions.booking_id ${besideBooking}`,
    columns: 'checkout_id, merchant_id, payment_facilitator, booking_id',
  },
]

const ofBookings = (condition: string) => ({
  bookings: `select id from bookings where ${condition}`,
  transactions: `select transactions.id from transactions join bookings on bookings.id = booking_id where ${condition}`,
})

/** Changes that also affect the texts of other records. */
const renames = [
  { table: 'pods', columns: 'title', followers: ofBookings('bookings.pod_id = new.id') },
  {
    table: 'locations',
    columns: 'name, city',
    followers: {
      ...ofBookings('bookings.location_id = new.id'),
      pods: 'select id from pods where location_id = new.id',
    },
  },
  {
    table: 'users',
    columns: 'firstname, lastname, email, mobile',
    followers: ofBookings('coalesce(bookings.user_id, bookings.staff_id) = new.id'),
  },
  {
    table: 'staff',
    columns: 'firstname, lastname, email, phone_number',
    followers: ofBookings('coalesce(bookings.user_id, bookings.staff_id) = new.id'),
  },
  {
    table: 'bookings',
    columns: 'pod_id, location_id, user_id, staff_id',
    followers: { transactions: 'select id from transactions where booking_id = new.id' },
  },
]

/** Longer than any of a record's searched fields, which the API keeps far shorter. */
export const MOST_CHARACTERS = 1_500

/** How many texts of a list are rewritten within the change itself; a job does the rest. */
const AT_ONCE = 1_000

const ifChanged = (columns: string) => {
  const of = (row: string) => columns.replaceAll(/\w+/g, (column) => `${row}.${column}`)
  return `when ((${of('old')}) is distinct from (${of('new')}))`
}

export function toList({ table, text, from, columns, names }: List): string[] {
  const write = (condition: string) => `
    insert into ${table}_search_texts select '${table}', id, text from ${table}_search where ${condition};
    ${noteNames(condition)}`
  const noteNames = (condition: string) =>
    names === undefined
      ? ''
      : `
    insert into search_words
    select distinct word from ${table}_search, regexp_split_to_table(names, '[[:space:][:punct:]]+') as word
     where ${condition} and length(word) between 4 and 40 and word !~ '\\d'
     order by word
        on conflict do nothing;`
  return [
    `create table ${table}_search_texts partition of search_texts (primary key (record_id)) for values in ('${table}')`,
    // The texts as they should be.
    `create view ${table}_search as
     select ${table}.id, search_text(left(concat_ws(' ', ${text}), ${MOST_CHARACTERS})) as text
            ${names === undefined ? '' : `, search_text(left(concat_ws(' ', ${names}), ${MOST_CHARACTERS})) as names`}
       from ${from}`,
    // Locks first and reads afterwards: a transaction that waited for another change of the same text then sees that
    // change.
    `create function ${table}_search_rewrite(ids uuid[]) returns void language plpgsql as $$
     begin
       perform from ${table}_search_texts where record_id = any(ids) order by record_id for update;
       update ${table}_search_texts as kept set text = fresh.text from ${table}_search as fresh
        where kept.record_id = fresh.id and fresh.id = any(ids) and kept.text is distinct from fresh.text;
       ${noteNames('id = any(ids)')}
     end $$`,
    // Added rows come as a table rather than an array, for which every insert would be planned anew.
    `create function ${table}_search_follow() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then ${write('id in (select id from added)')}
       elsif tg_op = 'UPDATE' then perform ${table}_search_rewrite(array[new.id]);
       elsif tg_op = 'DELETE' then delete from ${table}_search_texts where record_id = old.id;
       else truncate ${table}_search_texts;
       end if;
       return null;
     end $$`,
    `create trigger ${table}_search_insert after insert on ${table}
     referencing new table as added for each statement execute function ${table}_search_follow()`,
    `create trigger ${table}_search_update after update of ${columns} on ${table}
     for each row ${ifChanged(columns)} execute function ${table}_search_follow()`,
    // Row by row: with a table of deleted rows, a plan made for few of them would be kept for many.
    `create trigger ${table}_search_delete after delete on ${table}
     for each row execute function ${table}_search_follow()`,
    `create trigger ${table}_search_truncate after truncate on ${table}
     for each statement execute function ${table}_search_follow()`,
    // Adds the existing rows; before the index, which is then built in one go, three times as fast.
    ...write('true')
      .split(';')
      .filter((statement) => statement.trim() !== ''),
  ]
}

export function toRename({
  table,
  columns,
  followers,
}: {
  table: string
  columns: string
  followers: Record<string, string>
}): string[] {
  const notes = Object.entries(followers).map(
    ([list, ids]) => `insert into search_refreshes (list, record_id) select '${list}', id from (${ids}) as follower;`,
  )
  return [
    `create function ${table}_search_rename() returns trigger language plpgsql as $$
     begin
       ${notes.join('\n')}
       perform refresh_search_texts(${AT_ONCE});
       return null;
     end $$`,
    `create trigger ${table}_search_rename after update of ${columns} on ${table}
     for each row ${ifChanged(columns)} execute function ${table}_search_rename()`,
  ]
}

const refreshed = ['pods', 'bookings', 'transactions'].map(
  (list) => `
    with taken as (
      delete from search_refreshes where list = '${list}' and number = any(array(
        select number from search_refreshes where list = '${list}' order by number desc limit most for update skip locked
      )) returning record_id
    ) select array_agg(record_id) into ids from taken;
    perform ${list}_search_rewrite(ids);
    done := done + coalesce(cardinality(ids), 0);`,
)

const statements = [
  // A phone number is found as dialled nationally and internationally: 0725550158 and 27725550158.
  `create function search_phone(phone text) returns text language plpgsql immutable strict parallel safe as $$
   declare
     dialled text := replace(phone, '(0)', '');
     digits text := translate(dialled, translate(dialled, '0123456789', ''), '');
   begin
     if left(digits, 2) = '00' and length(digits) >= 9 then digits := substr(digits, 3); end if;
     return case
       when left(digits, 1) = '0' then digits || ' 27' || substr(digits, 2)
       when left(digits, 2) = '27' and length(digits) = 11 then digits || ' 0' || substr(digits, 3)
       else digits
     end;
   end $$`,
  // Must match toSearchText (server/db/lists/search-words.ts), which converts what is typed.
  `create function search_text(text text) returns text language plpgsql immutable strict parallel safe as $$
   declare
     plain text := ' ' || ${withoutSigns};
   begin
     if octet_length(plain) = length(plain) then return lower(plain collate "C"); end if;
     return lower(regexp_replace(normalize(plain, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu");
   end $$`,
  `create table search_texts (list text not null, record_id uuid not null, text text not null) partition by list (list)`,
  // The words of names, each once. None is ever removed, as an outdated word only makes a search look for it in vain.
  'create table search_words (word text primary key)',
  // Texts that have to be rewritten.
  `create table search_refreshes (
    list text not null, number bigint generated always as identity, record_id uuid not null, primary key (list, number)
  )`,
  ...lists.flatMap(toList),
  // Enough to tell a text that one record in a thousand has from one that hardly any record has.
  'alter table search_texts alter column text set statistics 500',
  'create index search_texts_text_idx on search_texts using gin (text gin_trgm_ops)',
  // Newest first: those of the change that calls it.
  `create function refresh_search_texts(most integer) returns integer language plpgsql as $$
   declare
     ids uuid[];
     done integer := 0;
   begin
     ${refreshed.join('\n')}
     return done;
   end $$`,
  ...renames.flatMap(toRename),
  // The indexes and the function of the previous search.
  'drop index users_search_idx, users_word_starts_idx, pods_title_idx, bookings_purpose_idx, transactions_search_idx',
  'drop function word_starts',
  'analyze search_texts, search_words',
]
