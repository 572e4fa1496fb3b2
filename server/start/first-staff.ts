import { randomInt } from 'node:crypto'
import { pageCodes } from '#contract/pages.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { createId } from '../ids.ts'
import { hashPassword } from '../modules/auth/password.ts'

export type FirstStaff = { email: string; password: string }

/** Makes the first staff member, with all nine pages, when there is none; the password is shown once, never stored. */
export async function createFirstStaff(db: Db, config: Config): Promise<FirstStaff | undefined> {
  const someone = await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (someone) return undefined
  const { adminEmail: email } = config
  const password = config.adminPassword ?? createPassword()
  await db
    .insertInto('staff')
    .values({
      id: createId(),
      firstname: 'Platform',
      lastname: 'Administrator',
      email,
      phone_number: '',
      password_hash: await hashPassword(password),
      role: 'Administrator',
      pages: [...pageCodes],
    })
    .execute()
  return { email, password }
}

/** Twenty characters without look-alikes, in groups that can be read out on the phone: 95 bits. */
export function createPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
