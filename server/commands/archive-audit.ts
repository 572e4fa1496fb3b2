import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { archiveChanges } from '../modules/audit/archive.ts'
import { systemActor } from '../modules/audit/record-change.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'Usage: npm run audit:archive -- --before 2024-01-01 --to changes-before-2024.jsonl.gz'

/**
 * `npm run audit:archive`: moves the history before a day (UTC) to a file that the Activity screen can import again.
 */
runCommand(async ({ database, say }) => {
  const option = { type: 'string' } as const
  const { values } = parseArgs({ args: process.argv.slice(2), options: { before: option, to: option } })
  const before = new Date(`${values.before}T00:00:00.000Z`)
  // JavaScript takes 30 February for 1 March.
  const isDay = !Number.isNaN(before.getTime()) && before.toISOString().slice(0, 10) === values.before
  if (values.to === undefined || !isDay) throw new Error(USAGE)
  if (existsSync(values.to)) throw new Error(`${values.to} exists already. Choose another name.`)
  const actor = systemActor(() => systemClock.now())
  const rows = await archiveChanges(database.db, actor, { before, file: values.to }, (text) => say(`  ${text}`))
  say(rows === 0 ? `Nothing is older than ${values.before}` : `${values.to}: ${rows.toLocaleString('en')} changes`)
})
