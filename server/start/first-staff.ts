import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { pageCodes } from '#contract/pages.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { createId } from '../ids.ts'
import { createBreachCheck } from '../modules/auth/breached-passwords.ts'
import { hashPassword } from '../modules/auth/password.ts'

export type FirstStaff = { email: string; password: string }

/**
 * Creates the first staff member, with all nine pages, and the other initial data of a new database, in one
 * transaction. Returns undefined when there are staff already. When several servers start together, one creates the
 * data while the others wait. The password is shown once and stored only as a hash.
 */
export async function createFirstStaff(
  db: Db,
  config: Config,
  insertMore?: (tx: Tx) => Promise<void>,
): Promise<FirstStaff | undefined> {
  if (await hasStaff(db)) return undefined
  const { adminEmail: email } = config
  if (
    config.adminPassword !== undefined &&
    (await createBreachCheck(config.breachedPasswordsUrl)(config.adminPassword))
  )
    throw new Error('ADMIN_PASSWORD is known from a data breach, so it would be guessed. Choose another one.')
  const password = config.adminPassword ?? createPassword()
  const row = {
    id: createId(),
    firstname: 'Platform',
    lastname: 'Administrator',
    email,
    phone_number: '',
    password_hash: await hashPassword(password),
    must_replace_password: config.adminPassword === undefined,
    role: 'Administrator',
    pages: [...pageCodes],
  }
  return inTransaction(db, async (tx) => {
    // Another server may take longer to load its demo data than the statement timeout allows.
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

/**
 * Creates a password of twenty characters (99 bits) that cannot be mistaken for each other, in groups to read out on
 * the phone.
 */
export function createPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
