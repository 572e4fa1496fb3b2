import { Secret, TOTP } from 'otpauth'
import { toTokenHash } from '#server/http/session.ts'

/** What every authenticator app knows: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const terms = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Of the app's clock, or of the time that typing takes. */
const STEPS_OFF = 1

/** 20 bytes in Base32. */
export const createKey = () => new Secret({ size: 20 }).base32

export function toKeyUri(key: string, { email, productName }: { email: string; productName: string }): string {
  return new TOTP({ ...terms, secret: Secret.fromBase32(key), issuer: productName, label: email }).toString()
}

/** The time step that a code is of; undefined when it is no code of this key around now. */
export function findStep(key: string, code: string, now: Date): number | undefined {
  // Of a secret that was emptied because the key of the server was lost: anyone could make its codes.
  if (key === '') return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...terms, secret: Secret.fromBase32(key), token: code, timestamp, window: STEPS_OFF })
  return delta === null ? undefined : TOTP.counter({ period: terms.period, timestamp }) + delta
}

/** A code of the app is six digits; apps show them as 123 456. Anything else is taken for a recovery code. */
export function toAppCode(code: string): string | undefined {
  const digits = code.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** 15 bytes in Base32, `abcd-efgh-ijkl-mnop-qrst-uvwx`: with so many random bits a plain hash gives nothing away. */
export function createRecoveryCode(): string {
  return new Secret({ size: 15 }).base32.toLowerCase().replaceAll(/(.{4})(?!$)/g, '$1-')
}

/** However it was typed. */
export const toRecoveryHash = (code: string) => toTokenHash(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
