import { parseArgs } from 'node:util'
import { StaffBody } from '#contract/staff.ts'
import { systemClock } from '../clock.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import { createId } from '../ids.ts'
import { recordCreation, systemActor } from '../modules/audit/record-change.ts'
import { createBreachCheck } from '../modules/auth/breached-passwords.ts'
import { requireGoodPassword, requireUnbreached } from '../modules/auth/good-password.ts'
import { hashPassword } from '../modules/auth/password.ts'
import { createStaff, staffRecord } from '../modules/staff/staff.repository.ts'
import { createPassword } from '../start/first-staff.ts'
import { runCommand } from './run-command.ts'

const USAGE = `Usage: npm run staff:create -- --email lerato@example.com --first Lerato [--last Mokoena] [--phone …]
  [--role Operations] [--pages 1,2,3] [--password …]
Pages are codes from 1 to 9; all nine without --pages. Without --password one is made up and shown once.`

/**
 * `npm run staff:create`: for an operator who is locked out. It needs a terminal on the server instead of a session.
 */
runCommand({
  usage: USAGE,
  parse: parseOptions,
  migrates: 'first',
  work: async ({ config, database, say }, body) => {
    const { firstname, lastname, phoneNumber, role, auth_page, password = createPassword() } = body
    const email = body.email.toLowerCase()
    const isGiven = body.password !== undefined
    requireGoodPassword('password', password, { email, productName: config.productName })
    await requireUnbreached({ isBreached: createBreachCheck(config.breachedPasswordsUrl) }, 'password', password)
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
        must_replace_password: !isGiven,
      }
      const actor = systemActor(() => systemClock.now())
      await inTransaction(database.db, (tx) =>
        recordCreation(tx, actor, staffRecord, staff.id, () => createStaff(tx, staff)),
      )
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Error(`There is a staff member with the address ${email} already.`, { cause: error })
      throw error
    }
    say(`Added ${firstname} ${lastname}`.trimEnd())
    say(`  Email     ${email}`)
    say(isGiven ? '  Password  as given' : `  Password  ${password}   (shown this once)`)
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
      password: option,
    },
  })
  const parsed = StaffBody.safeParse({
    firstname: values.first,
    lastname: values.last,
    email: values.email,
    phoneNumber: values.phone,
    role: values.role,
    password: values.password,
    auth_page: (values.pages ?? '1,2,3,4,5,6,7,8,9').split(','),
  })
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join('\n'))
  return parsed.data
}
