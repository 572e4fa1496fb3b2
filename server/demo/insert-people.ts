import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { PAGE } from '#contract/pages.ts'
import type { Tx } from '../db/client.ts'
import { createId } from '../ids.ts'
import { hashPassword } from '../modules/auth/password.ts'
import {
  BLOCKED_EVERY,
  demoCompanies,
  demoUsers,
  toDemoEmail,
  toDemoMobile,
  WITHOUT_MOBILE_EVERY,
} from './demo-people.ts'
import { demoStaff } from './demo-staff.ts'

/** Hashes a random password for each colleague, which nobody knows: these accounts are only for show. */
export function hashStaffPasswords(): Promise<string[]> {
  return Promise.all(demoStaff.map(() => hashPassword(randomBytes(32).toString('base64url'))))
}

/** Returns the ids of all staff who may make corporate bookings, the first administrator's among them. */
export async function insertStaff(tx: Tx, passwordHashes: readonly string[], since: number): Promise<string[]> {
  const rows = demoStaff.map((member, index) => ({
    id: createId(since + index * DAY),
    firstname: member.firstname,
    lastname: member.lastname,
    email: toDemoEmail(member.firstname, member.lastname, 'podkeeper.example'),
    phone_number: toDemoMobile(200 + index),
    password_hash: passwordHashes[index] ?? '',
    role: member.role,
    pages: [...member.pages],
    is_blocked: member.isBlocked ?? false,
    created_at: new Date(since + index * DAY),
  }))
  await tx
    .insertInto('staff')
    .values(rows)
    // The operator chooses the first administrator's address, which may be one of these.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const bookers = await tx
    .selectFrom('staff')
    .select('id')
    .where(sql<boolean>`${PAGE.corporateBooking} = any (pages)`)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return bookers.map(({ id }) => id)
}

/** Returns the ids of the customers who are not blocked. */
export async function insertUsers(tx: Tx, since: number): Promise<string[]> {
  const rows = demoUsers.map(([firstname, lastname], index) => {
    // About five days apart.
    const createdAt = since + index * 5 * DAY + ((index * 7_654_321) % DAY)
    const email = toDemoEmail(firstname, lastname)
    return {
      id: createId(createdAt),
      firstname,
      lastname,
      email,
      mobile: index % WITHOUT_MOBILE_EVERY === WITHOUT_MOBILE_EVERY - 1 ? '' : toDemoMobile(index),
      role: 'user',
      username: email.slice(0, email.indexOf('@')),
      is_blocked: index % BLOCKED_EVERY === BLOCKED_EVERY - 1,
      created_at: new Date(createdAt),
    }
  })
  await tx.insertInto('users').values(rows).execute()
  return rows.filter((row) => !row.is_blocked).map(({ id }) => id)
}

export async function insertCompanies(tx: Tx, since: number): Promise<string[]> {
  const rows = demoCompanies.map(([name, contactName, costCentre], index) => {
    const createdAt = since + (index + 1) * 40 * DAY
    const [firstname = '', lastname = ''] = contactName.split(' ')
    return {
      id: createId(createdAt),
      name,
      contact_name: contactName,
      email: toDemoEmail(firstname, lastname, `${name.toLowerCase().replaceAll(' ', '-')}.example`),
      phone: toDemoMobile(300 + index),
      vat_number: `4${String(123456780 + index * 37)}`,
      billing_address: `${12 + index * 7} Long Street, Cape Town, 8001`,
      cost_centre: costCentre,
      created_at: new Date(createdAt),
    }
  })
  await tx.insertInto('companies').values(rows).execute()
  return rows.map(({ id }) => id)
}
