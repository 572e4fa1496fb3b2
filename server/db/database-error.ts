/**
 * Whether PostgreSQL (or the engine's door) gave this error code. By code and never by class: an error may come from
 * another copy of the driver. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function hasCode(error: unknown, code: string): boolean {
  return findCode(error) === code
}

function findCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/**
 * Why the database, or the disk beside it, cannot do what was asked at the moment, through no fault of who asked:
 * `busy`, it has no connection or no time left; `away`, there is no connection to it; `full` and `read-only`, it can
 * only be read.
 */
export type Outage = 'busy' | 'away' | 'full' | 'read-only'

const outages: Record<string, Outage> = {
  // Of PostgreSQL
  '25006': 'read-only',
  '25P03': 'busy', // idle in a transaction for too long
  '53100': 'full',
  '53200': 'busy', // out of memory
  '53300': 'busy', // too many connections
  '55P03': 'busy', // a lock that did not come in time
  '57014': 'busy', // a statement that took too long
  '57P01': 'away', // shut down by an administrator
  '57P02': 'away', // crashed
  '57P03': 'away', // starting or stopping
  '58030': 'away', // its disk fails
  // Of the operating system
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
}

/** The driver's own errors, which have no code. */
const driverMessages: [pattern: RegExp, outage: Outage][] = [
  [/^timeout exceeded when trying to connect|^Query read timeout/, 'busy'],
  [/^Connection terminated|^Client has encountered a connection error|^Cannot use a pool after/, 'away'],
]

/** Undefined for any other error. */
export function findOutage(error: unknown): Outage | undefined {
  const code = findCode(error)
  if (code?.startsWith('08')) return 'away'
  // Of a socket that is a file
  if (code === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'connect') return 'away'
  if (code !== undefined && code in outages) return outages[code]
  if (!(error instanceof Error)) return undefined
  // PostgreSQL has ended the session, or begun none: it does not know the database or the password any more, say.
  if ('severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')) return 'away'
  if (error.name === 'TimeoutError') return 'busy'
  return driverMessages.find(([pattern]) => pattern.test(error.message))?.[1]
}
