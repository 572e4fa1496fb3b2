import { basename, dirname } from 'node:path'
import { createFolderPlace } from '../backup/backup-place.ts'
import type { OpenBackup } from '../backup/read-backup.ts'
import { type BackupSource, streamBackup } from '../backup/stream-backup.ts'

export const backUpTo = (source: BackupSource, file: string) =>
  streamBackup(source, (bytes) => createFolderPlace(dirname(file)).write(basename(file), bytes))

export const fromFile =
  (file: string): OpenBackup =>
  () =>
    createFolderPlace(dirname(file)).read(basename(file))
