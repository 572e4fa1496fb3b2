import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import { createContext } from '../create-context.ts'
import { bulkSeed } from '../demo/bulk-seed.ts'
import { loadDemoData } from '../demo/load-demo-data.ts'
import { createFirstStaff } from '../start/first-staff.ts'
import { requireSecretKey } from '../start/secret-key.ts'
import { showProgress } from '../start/welcome.ts'
import { runCommand } from './run-command.ts'

const USAGE = `Usage: npm run db:seed -- --bookings 1000000 [--transactions N] [--pods N] [--users N] [--days-behind N] [--days-ahead N]
Without them: as many transactions as bookings, a pod for every 500 bookings and a user for every 5 (at least 24 and 60),
over a year behind and 30 days ahead.`
const SAY_EVERY_MS = 3_000

const count = (least = 0, most = 20_000_000) =>
  z
    .string({ error: 'is missing' })
    .regex(/^\d+$/, { error: 'has to be a whole number' })
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error: `has to be between ${least} and ${most}` })
const Options = z.strictObject({
  bookings: count(),
  transactions: count().optional(),
  pods: count(1).optional(),
  users: count(1).optional(),
  'days-behind': count(0, 5_000).default(365),
  'days-ahead': count(0, 365).default(30),
})

/** `npm run db:seed`: loads the demo data and adds as many bookings as requested. */
runCommand({
  usage: USAGE,
  parse: parseOptions,
  migrates: 'first',
  work: async ({ config, database, say }, options) => {
    const context = await createContext(config, database)
    await requireSecretKey(database.db, context.secrets)
    const firstStaff = await createFirstStaff(database.db, config)
    await loadDemoData(context, showProgress)
    if (firstStaff) {
      const given =
        config.adminPassword === undefined ? `${firstStaff.password} (shown this once)` : 'as in ADMIN_PASSWORD'
      say(`  First administrator: ${firstStaff.email}, password ${given}`)
    }

    const started = Date.now()
    const seconds = () => (Date.now() - started) / 1000
    say(`Adding ${options.pods} pods, ${options.users} users and ${options.bookings} bookings …`)
    let said = started
    await bulkSeed(database.db, options, { now: systemClock.now(), timeZone: config.businessTimeZone }, (made) => {
      if (Date.now() - said < SAY_EVERY_MS && made < options.bookings) return
      said = Date.now()
      const left = Math.round((seconds() / made) * (options.bookings - made))
      say(
        `  ${made} of ${options.bookings} bookings (${Math.floor((100 * made) / options.bookings)} %), about ${left} s left`,
      )
    })
    say('Tidying the tables …')
    await database.maintain('vacuum')
    say(`Done in ${seconds().toFixed(1)} s.`)
  },
})

function parseOptions(args: string[]) {
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      bookings: option,
      transactions: option,
      pods: option,
      users: option,
      'days-behind': option,
      'days-ahead': option,
    },
  })
  const parsed = Options.safeParse(values)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`).join('\n'))
  }
  const { bookings, ...given } = parsed.data
  return {
    bookings,
    transactions: given.transactions ?? bookings,
    pods: given.pods ?? Math.max(24, Math.ceil(bookings / 500)),
    users: given.users ?? Math.max(60, Math.ceil(bookings / 5)),
    daysBehind: given['days-behind'],
    daysAhead: given['days-ahead'],
  }
}
