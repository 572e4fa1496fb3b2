import { parseArgs } from 'node:util'
import { runCommand } from './run-command.ts'

runCommand({
  usage: 'Usage: npm run db:migrate',
  parse: (args) => parseArgs({ args }),
  migrates: 'first',
  work: async ({ say }) => say('The database is up to date.'),
})
