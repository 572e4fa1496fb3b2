import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { archiveChanges, toPartial } from '../modules/audit/archive.ts'
import { systemActor } from '../modules/audit/record-event.ts'
import { runCommand } from './run-command.ts'

/**
 * `npm run audit:archive`: moves the history before a day (UTC) to a file that the Activity screen can import again.
 */
runCommand({
  usage: 'Usage: npm run audit:archive -- --before 2024-01-01 --to changes-before-2024.jsonl.gz',
  parse(args) {
    const option = { type: 'string' } as const
    const { before: day, to } = parseArgs({ args, options: { before: option, to: option } }).values
    const before = new Date(`${day}T00:00:00.000Z`)
    // JavaScript takes 30 February for 1 March.
    const isDay = !Number.isNaN(before.getTime()) && before.toISOString().slice(0, 10) === day
    if (!isDay) throw new Error('--before has to be a day.')
    if (to === undefined || to.includes('://')) throw new Error('--to has to be a file on this machine.')
    // A command that was interrupted leaves the partial file.
    for (const file of [to, toPartial(to)]) {
      if (existsSync(file)) throw new Error(`${file} exists already. Choose another name, or move it away.`)
    }
    return { before, day, to }
  },
  work: async ({ database, say }, { before, day, to }) => {
    const actor = systemActor(() => systemClock.now())
    const rows = await archiveChanges(database.db, actor, { before, file: to }, (text) => say(`  ${text}`))
    say(rows === 0 ? `Nothing is older than ${day}` : `${to}: ${rows.toLocaleString('en')} changes`)
  },
})
