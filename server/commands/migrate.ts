import { runCommand } from './run-command.ts'

/** `npm run db:migrate`: every command migrates first, so there is nothing left to do but to say so. */
runCommand(async ({ say }) => say('The database is up to date.'))
