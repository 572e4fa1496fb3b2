import { type Kysely, sql } from 'kysely'

/**
 * Remembers the addresses that staff have recently signed in from: guesses from elsewhere must not lock them out there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table sign_in_addresses (
    staff_id uuid not null references staff (id) on delete cascade,
    address_hash bytea not null,
    last_signed_in_at timestamptz not null,
    primary key (staff_id, address_hash)
  )`,
  // For the sweep of old addresses.
  'create index sign_in_addresses_last_idx on sign_in_addresses (last_signed_in_at)',
]
