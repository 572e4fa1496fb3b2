import { Secret, TOTP } from 'otpauth'
import { toTokenHash } from '#server/http/session.ts'

/** Supported by every authenticator app: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const terms = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How many steps a code may be off, as the app's clock is wrong or typing takes time. */
const STEPS_OFF = 1

/** Creates a key of 20 random bytes in Base32. */
export const createKey = () => new Secret({ size: 20 }).base32

export function toKeyUri(key: string, { email, productName }: { email: string; productName: string }): string {
  return new TOTP({ ...terms, secret: Secret.fromBase32(key), issuer: productName, label: email }).toString()
}

/** Returns the time step of a code; undefined when it is not a code of this key around `now`. */
export function findStep(key: string, code: string, now: Date): number | undefined {
  // The secret was emptied because the server's key was lost: anyone could make codes of an empty key.
  if (key === '') return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...terms, secret: Secret.fromBase32(key), token: code, timestamp, window: STEPS_OFF })
  return delta === null ? undefined : TOTP.counter({ period: terms.period, timestamp }) + delta
}

/** Returns the six digits of a code, which apps show as 123 456; undefined for anything else (a recovery code). */
export function toAppCode(code: string): string | undefined {
  const digits = code.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Creates a code of 15 random bytes, `abcd-efgh-ijkl-mnop-qrst-uvwx`: so many that a plain hash is safe to store. */
export function createRecoveryCode(): string {
  return new Secret({ size: 15 }).base32.toLowerCase().replaceAll(/(.{4})(?!$)/g, '$1-')
}

/** Hashes a recovery code. Ignores case and everything but letters and digits. */
export const toRecoveryHash = (code: string) => toTokenHash(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
