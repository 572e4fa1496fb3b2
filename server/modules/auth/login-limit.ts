import type pg from 'pg'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/http/app-error.ts'
import { createSharedCounts } from '#server/http/shared-counts.ts'
import type { SecretBox } from '#server/secrets.ts'

const WINDOW_SECONDS = 15 * 60
/** Wrong passwords from one address, for any accounts. */
const PER_ADDRESS = 100
/** Wrong passwords for one account, from any address. */
const PER_ACCOUNT = 50
/** Attempts at each account from an address that is over its limit, for colleagues who share that address. */
const BEYOND_ADDRESS = 3

type Attempt = {
  /** Whether the right password is accepted. If not, the response must take as long all the same. */
  mayPass: boolean
  /** The error for a wrong password from an address that has used up its attempts. */
  refusal: AppError | undefined
  /** Called after the right password: takes back this attempt and the person's own earlier mistakes. */
  giveBack(): Promise<void>
}

/** Limits wrong passwords, counted in the database so that several servers share the count. */
export type LoginLimit = {
  /**
   * Counts an attempt as wrong before its password is checked, so that parallel guesses count too. Throws a 429 when
   * the password must not be checked. `isKnownHere` tells whether the account has recently signed in from that address.
   */
  count(address: string, email: string, isKnownHere: () => Promise<boolean>): Promise<Attempt>
  /** Throws a 429 after more than `most` requests of a kind in 15 minutes that share the value `common`. */
  limit(kind: string, common: string, most: number): Promise<void>
  /** Hashes network and email addresses, which the database must not store in plain text. */
  hash(...parts: string[]): Buffer
}

export function createLoginLimit(
  pool: pg.Pool,
  { loginAttempts }: Pick<Config, 'loginAttempts'>,
  secrets: SecretBox,
): LoginLimit {
  const counts = createSharedCounts(pool, WINDOW_SECONDS)
  const perAddress = Math.max(PER_ADDRESS, loginAttempts)
  const perAccount = Math.max(PER_ACCOUNT, loginAttempts)
  const hash = (...parts: string[]) => secrets.hash(parts.join('\n'))
  const toKey = (kind: string, ...parts: string[]) => `${kind}:${hash(kind, ...parts).toString('base64url')}`
  return {
    hash,
    async limit(kind, common, most) {
      const count = await counts.penalty(toKey(kind, common))
      if (count.consumedPoints > most) throw refuse(count, (wait) => `Too many attempts. Try again in ${wait}.`)
    },
    async count(address, email, isKnownHere) {
      const person = toKey('person', address, email.toLowerCase())
      const byPerson = await counts.penalty(person)
      if (byPerson.consumedPoints > loginAttempts) throw tooMany(byPerson)

      const network = toKey('address', address)
      const account = toKey('account', email.toLowerCase())
      const byAddress = await counts.penalty(network)
      const byAccount = await counts.penalty(account)
      const addressUsedUp = byAddress.consumedPoints > perAddress
      const accountUsedUp = byAccount.consumedPoints > perAccount
      const isKnown = (addressUsedUp || accountUsedUp) && (await isKnownHere())
      if (accountUsedUp && !isKnown) throw tooMany(byAccount)
      return {
        mayPass: !addressUsedUp || isKnown || byPerson.consumedPoints <= BEYOND_ADDRESS,
        refusal: addressUsedUp ? tooManyHere(byAddress) : undefined,
        async giveBack() {
          await counts.delete(person)
          await counts.reward(network)
          await counts.reward(account)
        },
      }
    },
  }
}

function tooMany(count: RateLimiterRes): AppError {
  return refuse(count, (wait) => `Too many attempts to sign in. Try again in ${wait}.`)
}

/** The same text whether the account exists or not. */
function tooManyHere(count: RateLimiterRes): AppError {
  return refuse(
    count,
    (wait) => `Too many wrong passwords were entered from your network. Check yours, or try again in ${wait}.`,
  )
}

function refuse({ msBeforeNext }: RateLimiterRes, toMessage: (wait: string) => string): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const message = toMessage(`${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`)
  return new AppError('too_many_requests', { message, retryAfterSeconds })
}
