import type { backupEndpoints } from '#contract/backups.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getBackups } from './backups.service.ts'

export const backupHandlers: Handlers<typeof backupEndpoints> = {
  get: ({ context }) => getBackups(context),
}
