import { parseArgs } from 'node:util'
import { openBackupPlace } from '../backup/backup-place.ts'
import { keepBackup } from '../backup/keep-backup.ts'
import { openStorage } from '../storage/open-storage.ts'
import { abortOnSignal, runCommand } from './run-command.ts'

/** `npm run backup -- [--to folder or s3://…]`: one file with all tables and images, the same from both engines. */
runCommand({
  usage: 'Usage: npm run backup -- [--to backups/ or s3://bucket/prefix]',
  parse: (args) => parseArgs({ args, options: { to: { type: 'string', default: 'backups' } } }).values,
  work: async ({ config, database, say }, { to }) => {
    const moment = new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)
    const name = `podkeeper-${moment}.jsonl.gz`
    const { rows, images, missingImages } = await keepBackup({
      // Reads the database directly, because nobody else waits for this process.
      read: (work) => work(database.db),
      storage: await openStorage(config),
      place: await openBackupPlace(to, config),
      name,
      onProgress: (text) => say(`  ${text}`),
      signal: abortOnSignal(),
    })
    const file = `${to.replace(/\/+$/, '')}/${name}`
    say(`${file}: ${rows.toLocaleString('en')} rows, ${images.toLocaleString('en')} images, read back and found whole`)
    if (missingImages > 0) {
      say(
        `But ${missingImages.toLocaleString('en')} more images, which the database names, are not where this command looked for them: set DATA_DIR or S3_… as the server has it.`,
      )
    }
  },
})
