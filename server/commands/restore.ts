import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { openBackupPlace } from '../backup/backup-place.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { createSecretBox } from '../secrets.ts'
import { requireSecretKey } from '../start/secret-key.ts'
import { openStorage } from '../storage/open-storage.ts'
import { requireNoServer } from './require-no-server.ts'
import { abortOnSignal, runCommand } from './run-command.ts'

/** `npm run restore -- <file or s3://…> [--replace]`: restores all of the backup or nothing. */
runCommand({
  usage: 'Usage: npm run restore -- backups/podkeeper-….jsonl.gz [--replace]',
  parse(args) {
    const options = { replace: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Error('Name one file.')
    return { file, replace: values.replace }
  },
  migrates: 'work',
  work: async ({ config, database, place: into, say }, { file, replace }) => {
    await requireNoServer(database)
    const storage = await openStorage(config)
    const place = await openBackupPlace(dirname(file), config)
    say(
      `${file} will be restored into ${into}${replace ? ', and replace all that is there' : ', if nothing is there'}.`,
    )
    const { rows, images } = await restoreBackup({ db: database.db, storage }, () => place.read(basename(file)), {
      replace,
      onProgress: (text) => say(`  ${text}`),
      signal: abortOnSignal(),
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
  },
})
