import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { toDate, toWallClock } from '#contract/slots.ts'
import type { AppContext, SignedIn } from '../context.ts'

/** API keys, which other systems send in place of a session token (docs/decisions/046). */

const PREFIX = 'podkey_'
/** 192 random bits and their checksum, by which scanners for leaked secrets can recognise a key. */
const KEY = new RegExp(`^${PREFIX}([0-9a-f]{48})([0-9a-f]{8})$`)

export function createKeyText(): string {
  const random = randomBytes(24).toString('hex')
  return `${PREFIX}${random}${toChecksum(random)}`
}

const toChecksum = (random: string) => crc32(random).toString(16).padStart(8, '0')

/** Returns the beginning of a key, by which people recognise it. The rest is still too long to guess. */
export const toKeyPrefix = (key: string) => key.slice(0, PREFIX.length + 6)

/** Hashes a key. A fast hash is enough, because keys are random and too long to guess. */
export const toKeyHash = (key: string) => createHash('sha256').update(key).digest()

export type KeyUse = SignedIn & { staff: undefined; lastUsedAt: Date | null }

export const isKey = (token: string) => token.startsWith(PREFIX)

/**
 * Finds a key that is live. It is read on every request, as sessions are, so that a revoked key stops working at once.
 */
export async function findKey(
  { shortReads, clock, config }: Pick<AppContext, 'shortReads' | 'clock' | 'config'>,
  token: string,
): Promise<KeyUse | undefined> {
  const [, random = '', checksum] = KEY.exec(token) ?? []
  if (checksum !== toChecksum(random)) return undefined
  const today = toDate(toWallClock(clock.now(), config.businessTimeZone))
  const row = await shortReads
    .selectFrom('api_keys')
    .select(['id', 'pages', 'view_only_pages', 'location_ids', 'last_used_at'])
    .where('key_hash', '=', toKeyHash(token))
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_on', 'is', null), is('expires_on', '>=', today)]))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      staff: undefined,
      pages: row.pages,
      viewOnlyPages: row.view_only_pages,
      locations: row.location_ids,
      lastUsedAt: row.last_used_at,
    }
  )
}

/** At most one write per minute, as for sessions. */
const USE_STEP_MS = 60_000

export async function noteKeyUse({ db, clock }: AppContext, { id, lastUsedAt }: KeyUse, address: string) {
  const now = clock.now()
  const before = new Date(now.getTime() - USE_STEP_MS)
  if (lastUsedAt && lastUsedAt > before) return
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now, last_used_address: address })
    .where('id', '=', id)
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', before)]))
    .execute()
}
