import { parseArgs } from 'node:util'
import { openBackupPlace } from '../backup/backup-place.ts'
import { keepBackup } from '../backup/keep-backup.ts'
import { openStorage } from '../storage/open-storage.ts'
import { runCommand } from './run-command.ts'

/** `npm run backup -- [--to folder or s3://…]`: one file with all tables and images, the same from both engines. */
runCommand(async ({ config, database, say }) => {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { to: { type: 'string', default: 'backups' } } })
  const moment = new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)
  const name = `podkeeper-${moment}.jsonl.gz`
  const { rows, images } = await keepBackup({
    // Reads the database directly, because nobody else waits for this process.
    read: (work) => work(database.db),
    storage: await openStorage(config),
    place: await openBackupPlace(values.to, config),
    name,
    onProgress: (text) => say(`  ${text}`),
  })
  const file = `${values.to.replace(/\/+$/, '')}/${name}`
  say(`${file}: ${rows.toLocaleString('en')} rows, ${images.toLocaleString('en')} images, read back and found whole`)
})
