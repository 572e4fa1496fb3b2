import { parseArgs } from 'node:util'
import { StaffBody } from '#contract/staff.ts'
import { systemClock } from '../clock.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import { createId } from '../ids.ts'
import { recordCreation } from '../modules/audit/record-change.ts'
import { systemActor } from '../modules/audit/record-event.ts'
import { hashPassword } from '../modules/auth/password.ts'
import { createStaff, staffRecord } from '../modules/staff/staff.repository.ts'
import { createPassword } from '../start/first-staff.ts'
import { runCommand } from './run-command.ts'

const USAGE = `Usage: npm run staff:create -- --email lerato@example.com --first Lerato [--last Mokoena] [--phone …]
  [--role Operations] [--pages 1,2,3]
Pages are codes from 1 to 9; all nine without --pages. The password is made up and shown once.`

/**
 * `npm run staff:create`: for an operator who is locked out. It needs a terminal on the server instead of a session.
 */
runCommand({
  usage: USAGE,
  parse: parseOptions,
  migrates: 'first',
  work: async ({ database, say }, body) => {
    const { firstname, lastname, phoneNumber, role, auth_page } = body
    const email = body.email.toLowerCase()
    const password = createPassword()
    try {
      const staff = {
        id: createId(),
        firstname,
        lastname,
        email,
        phone_number: phoneNumber,
        role,
        pages: auth_page,
        password_hash: await hashPassword(password),
        must_replace_password: true,
      }
      const actor = systemActor(() => systemClock.now())
      await inTransaction(database.db, (tx) =>
        recordCreation(tx, actor, staffRecord, staff.id, () => createStaff(tx, staff)),
      )
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Error(
          `There is a staff member with the address ${email} already. Add one with another address: they can make a link for a new password on Assign Role, and unblock accounts there.`,
          { cause: error },
        )
      throw error
    }
    say(`Added ${firstname} ${lastname}`.trimEnd())
    say(`  Email     ${email}`)
    say(`  Password  ${password}   (shown this once)`)
  },
})

function parseOptions(args: string[]) {
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      email: option,
      first: option,
      last: option,
      phone: option,
      role: option,
      pages: option,
    },
  })
  const parsed = StaffBody.safeParse({
    firstname: values.first,
    lastname: values.last,
    email: values.email,
    phoneNumber: values.phone,
    role: values.role,
    auth_page: (values.pages ?? '1,2,3,4,5,6,7,8,9').split(','),
  })
  if (!parsed.success) {
    // The message about pages names a field of the API.
    const toText = ({ path, message }: { path: PropertyKey[]; message: string }) =>
      path[0] === 'auth_page' ? '--pages has to be codes from 1 to 9, with commas between them' : message
    throw new Error([...new Set(parsed.error.issues.map(toText))].join('\n'))
  }
  return parsed.data
}
