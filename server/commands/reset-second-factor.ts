import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { createContext } from '../create-context.ts'
import { inTransaction } from '../db/transaction.ts'
import { systemActor } from '../modules/audit/record-event.ts'
import { findStaffByEmail } from '../modules/auth/auth.repository.ts'
import { toSignedInStaff } from '../modules/auth/person.ts'
import { resetFactors } from '../modules/second-factors/second-factors.service.ts'
import { runCommand } from './run-command.ts'

/** `npm run staff:reset-factor`: resets the second factor of a staff member whom no colleague can help. */
runCommand({
  usage: 'Usage: npm run staff:reset-factor -- --email lerato@example.com',
  parse(args) {
    const { email } = parseArgs({ args, options: { email: { type: 'string' } } }).values
    if (email === undefined) throw new Error('--email is missing.')
    return email
  },
  work: async ({ config, database, say }, email) => {
    const staff = await findStaffByEmail(database.db, email)
    if (!staff) throw new Error(`There is no staff member with the address ${email}.`)
    const context = await createContext(config, database)
    await inTransaction(database.db, (tx) =>
      resetFactors(
        context,
        tx,
        systemActor(() => systemClock.now()),
        toSignedInStaff(staff),
      ),
    )
    say(
      `The second factor of ${staff.email} is reset, and their passkeys are removed: the password alone signs them in until they set up another.`,
    )
  },
})
