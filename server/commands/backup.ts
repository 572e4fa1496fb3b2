import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBackup } from '../backup/create-backup.ts'
import { openStorage } from '../storage/open-storage.ts'
import { runCommand } from './run-command.ts'

/** `npm run backup -- [--to folder]`: one file with all tables and images, the same from both engines. */
runCommand(async ({ config, database, say }) => {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { to: { type: 'string', default: 'backups' } } })
  mkdirSync(values.to, { recursive: true })
  const moment = new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)
  const file = join(values.to, `podkeeper-${moment}.jsonl.gz`)
  const storage = await openStorage(config)
  const { rows, images } = await createBackup({ db: database.db, storage }, file, (text) => say(`  ${text}`))
  say(`${file}: ${rows.toLocaleString('en')} rows, ${images.toLocaleString('en')} pictures`)
})
