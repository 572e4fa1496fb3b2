import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { pageCodes } from '#contract/pages.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { createId } from '../ids.ts'
import { hashPassword } from '../modules/auth/password.ts'

export type FirstStaff = { email: string; password: string }

/**
 * Makes the first staff member, with all nine pages, when there is none, and whatever else a new database begins with: all
 * of it or nothing. Of servers that start together one does so, and the others wait for it. The password is shown once,
 * never stored.
 */
export async function createFirstStaff(
  db: Db,
  config: Config,
  insertMore?: (tx: Tx) => Promise<void>,
): Promise<FirstStaff | undefined> {
  if (await hasStaff(db)) return undefined
  const { adminEmail: email } = config
  const password = config.adminPassword ?? createPassword()
  const row = {
    id: createId(),
    firstname: 'Platform',
    lastname: 'Administrator',
    email,
    phone_number: '',
    password_hash: await hashPassword(password),
    role: 'Administrator',
    pages: [...pageCodes],
  }
  return inTransaction(db, async (tx) => {
    // The other server may be at its demo data for longer than a query is allowed.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`lock table staff in share row exclusive mode`.execute(tx)
    if (await hasStaff(tx)) return undefined
    await tx.insertInto('staff').values(row).execute()
    await insertMore?.(tx)
    return { email, password }
  })
}

export async function hasStaff(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Twenty characters without look-alikes, in groups that can be read out on the phone: 95 bits. */
export function createPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
