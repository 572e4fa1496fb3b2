import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#server/http/app-error.ts'

const WINDOW_SECONDS = 15 * 60
/** An office behind one address may mistype more often than one person. */
const ADDRESS_FACTOR = 20

/** Limits attempts to sign in, counted in the database so that several servers share the count. */
export type LoginLimit = {
  /** Counts an attempt before its password is looked at, so that parallel guesses count too; throws a 429. */
  count(address: string, email: string): Promise<void>
  /** After a success: the person's own mistypings no longer count. */
  forget(address: string, email: string): Promise<void>
}

export function createLoginLimit(pool: pg.Pool, attempts: number): LoginLimit {
  const shared = {
    storeClient: pool,
    storeType: 'pool',
    tableName: 'login_attempts',
    tableCreated: true, // by migration 001
    duration: WINDOW_SECONDS,
  }
  const byPerson = new RateLimiterPostgres({ ...shared, keyPrefix: 'person', points: attempts })
  const byAddress = new RateLimiterPostgres({ ...shared, keyPrefix: 'address', points: attempts * ADDRESS_FACTOR })
  return {
    async count(address, email) {
      await consume(byAddress, address)
      await consume(byPerson, toPersonKey(address, email))
    },
    async forget(address, email) {
      await byPerson.delete(toPersonKey(address, email))
    },
  }
}

/** Hashed: the table holds no email addresses, and any length fits its key. */
function toPersonKey(address: string, email: string): string {
  return createHash('sha256').update(`${address}\n${email.toLowerCase()}`).digest('base64url')
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    const minutes = Math.ceil(retryAfterSeconds / 60)
    throw new AppError('too_many_requests', {
      message: `Too many attempts to sign in. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      retryAfterSeconds,
    })
  }
}
