import { runCommand } from './run-command.ts'

/** `npm run db:migrate`: every command migrates first, so all that is left is to say so. */
runCommand(async ({ say }) => say('The database is up to date.'))
