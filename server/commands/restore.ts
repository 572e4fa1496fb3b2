import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { openBackupPlace } from '../backup/backup-place.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { createSecretBox } from '../secrets.ts'
import { requireSecretKey } from '../start/secret-key.ts'
import { openStorage } from '../storage/open-storage.ts'
import { runCommand } from './run-command.ts'

/** `npm run restore -- <file or s3://…> [--replace]`: restores all of the backup or nothing. */
runCommand(async ({ config, database, say }) => {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { replace: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [file] = positionals
  if (file === undefined) throw new Error('Usage: npm run restore -- backups/podkeeper-….jsonl.gz [--replace]')
  const storage = await openStorage(config)
  const place = await openBackupPlace(dirname(file), config)
  const into = database.engine === 'postgres' ? toPlainUrl(config.databaseUrl ?? '') : `the folder ${config.dataDir}`
  say(
    `${file} will be restored into ${into}${values.replace ? ', and replace all that is there' : ', if nothing is there'}.`,
  )
  const { rows, images } = await restoreBackup({ db: database.db, storage }, () => place.read(basename(file)), {
    replace: values.replace,
    onProgress: (text) => say(`  ${text}`),
  })
  await database.maintain('vacuum')
  // Secrets stay encrypted with the key of the backup, which a server will require in order to start.
  await requireSecretKey(database.db, createSecretBox(config.secretKey)).catch((error: unknown) => {
    say(
      `\nRestored, but a server will not start on it yet:\n${error instanceof Error ? error.message : String(error)}\n`,
    )
  })
  say(
    `Restored ${rows.toLocaleString('en')} rows and ${images.toLocaleString('en')} images. Everyone has to sign in again.`,
  )
})

/** Describes where the database is, without the password. */
function toPlainUrl(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${host}${pathname}`
}
