import { findCode } from '../error-code.ts'

/**
 * Whether PostgreSQL, or the stream of the embedded engine, gave this error code. Checks the code and never the class,
 * as an error may come from another copy of the driver. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function hasCode(error: unknown, code: string): boolean {
  return findCode(error) === code
}

/**
 * Why the database, or its disk, cannot do what was asked right now, through no fault of the client. `busy`: it has no
 * connection or no time left; `away`: there is no connection to it; `full` and `read-only`: it can only be read.
 */
export type Outage = 'busy' | 'away' | 'full' | 'read-only'

const outages: Record<string, Outage> = {
  // PostgreSQL's error codes
  '25006': 'read-only',
  '25P03': 'busy', // idle in a transaction for too long
  '25P04': 'busy', // a transaction took too long
  '28000': 'away', // the role may not connect
  '28P01': 'away', // the password has changed
  '3D000': 'away', // the database has been renamed or dropped
  '53100': 'full',
  '53200': 'busy', // out of memory
  '53300': 'busy', // too many connections
  '55000': 'away', // the database accepts no connections
  '55P03': 'busy', // a lock was not granted in time
  '57014': 'busy', // a statement took too long
  '57P01': 'away', // shut down by an administrator
  '57P02': 'away', // crashed
  '57P03': 'away', // starting or stopping
  '57P04': 'away', // the database was dropped
  '57P05': 'away', // a session was idle for too long
  '58030': 'away', // a disk error
  // The operating system's error codes
  EAI_AGAIN: 'away',
  ECONNABORTED: 'away',
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EHOSTUNREACH: 'away',
  ENETDOWN: 'away',
  ENETUNREACH: 'away',
  ENOTFOUND: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
  EDQUOT: 'full',
  ENOSPC: 'full',
  EROFS: 'read-only',
  // Node's codes of a certificate that has run out, or was replaced by one that nobody trusts
  CERT_HAS_EXPIRED: 'away',
  CERT_NOT_YET_VALID: 'away',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'away',
  ERR_TLS_CERT_ALTNAME_INVALID: 'away',
  SELF_SIGNED_CERT_IN_CHAIN: 'away',
  UNABLE_TO_GET_ISSUER_CERT: 'away',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'away',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'away',
}

/**
 * Whether PostgreSQL has ended or refused the session. The severity is in the language of the server's messages, so it
 * does not tell everywhere; the codes are those that end a session under way.
 */
export function endsSession(error: unknown): boolean {
  if (error instanceof Error && 'severity' in error && /^(FATAL|PANIC)$/.test(String(error.severity))) return true
  return /^(25P0[34]|57P0\d)$/.test(findCode(error) ?? '')
}

const UNANSWERED = /^Query read timeout/

/** Whether the driver has given up waiting for an answer, for longer than PostgreSQL lets a statement take. */
export const isUnanswered = (error: unknown) => error instanceof Error && UNANSWERED.test(error.message)

/** The driver's own errors, which have no code. */
const driverMessages: [pattern: RegExp, outage: Outage][] = [
  [/^timeout exceeded when trying to connect/, 'busy'],
  [UNANSWERED, 'away'],
  [/^Connection terminated|^Client has encountered a connection error|^Cannot use a pool after/, 'away'],
]

/** Returns the outage that the error is a sign of; undefined for any other error. */
export function findOutage(error: unknown): Outage | undefined {
  const code = findCode(error)
  if (code?.startsWith('08')) return 'away'
  // The file of a Unix socket is missing.
  if (code === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'connect') return 'away'
  if (code !== undefined && code in outages) return outages[code]
  if (!(error instanceof Error)) return undefined
  if (endsSession(error)) return 'away'
  if (error.name === 'TimeoutError') return 'busy'
  return driverMessages.find(([pattern]) => pattern.test(error.message))?.[1]
}
