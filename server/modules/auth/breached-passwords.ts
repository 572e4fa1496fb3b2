const TIMEOUT_MS = 2_000

export type IsBreached = (password: string) => Promise<boolean>

/** Called like pino. */
export type BreachLog = { warn(details: object, message: string): void }

/**
 * Returns a function that looks passwords up among those known from data breaches, at a service with the range API of
 * Have I Been Pwned. It sends only the first five hexadecimal digits of a password's SHA-1 hash. Without a URL, or when
 * the service cannot be reached, no password counts as breached.
 */
export function createBreachCheck(baseUrl: string | undefined, log?: BreachLog): IsBreached {
  return async (password) => {
    if (baseUrl === undefined) return false
    const { pwnedPassword } = await import('hibp')
    try {
      return (await pwnedPassword(password, { baseUrl, addPadding: true, timeoutMs: TIMEOUT_MS })) > 0
    } catch (err) {
      log?.warn({ err }, 'a new password was not looked up among breached ones')
      return false
    }
  }
}
