import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import type { DatabaseHandle } from './db/client.ts'
import { listSeen } from './http/locations.ts'
import { createKeyLimit, createStaffLimit } from './http/request-limit.ts'
import { asSeen, findSession } from './http/session.ts'
import { type BreachLog, createBreachCheck } from './modules/auth/breached-passwords.ts'
import { createLoginLimit } from './modules/auth/login-limit.ts'
import { createSignInQueue } from './modules/auth/sign-in-queue.ts'
import { createLive } from './modules/live/live.ts'
import { createSmtp } from './modules/mail/smtp.ts'
import { createSecretBox } from './secrets.ts'
import { createSharedReads } from './shared-reads.ts'
import { openStorage } from './storage/open-storage.ts'

/** Creates the context of the handlers. Runs no query, because the database may still be opening. */
export async function createContext(
  config: Config,
  database: DatabaseHandle,
  clock: Clock = systemClock,
  log?: BreachLog,
): Promise<AppContext> {
  const secrets = createSecretBox(config.secretKey)
  return {
    config,
    db: database.db,
    shortReads: database.shortReads,
    within: database.within,
    onReplica: database.onReplica,
    shareRead: createSharedReads(),
    clock,
    uptime: { since: clock.now() },
    secrets,
    storage: await openStorage(config),
    isBreached: createBreachCheck(config.breachedPasswordsUrl, log),
    loginLimit: createLoginLimit(database.pool, config, secrets),
    signInQueue: createSignInQueue(),
    keyLimit: createKeyLimit(database.pool, config.keyRequests),
    staffLimit: createStaffLimit(database.pool, config.staffChanges),
    live: createLive({
      notifications: database.notifications,
      clock,
      findSession: async (tokenHash) => {
        const found = await findSession({ shortReads: database.shortReads, clock, config }, tokenHash)
        return found && asSeen(found)
      },
      listSeen: (locations, entity, ids) => listSeen(database.within(locations).shortReads, entity, ids),
    }),
    sendMail: config.smtp && (await createSmtp(config.smtp, config.productName)),
    databaseLoad: database.load,
    readAtLength: database.readAtLength,
  }
}
