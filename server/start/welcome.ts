import type { Config } from '../config.ts'
import type { FirstStaff } from './first-staff.ts'

/**
 * Writes to people: to standard error when standard output is not a terminal, as it then has only logs for programs.
 */
function say(text: string): void {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr
  stream.write(text)
}

/** Prints where the portal is and how to sign in the first time. */
export function showWelcome(config: Config, address: string, firstStaff: FirstStaff | undefined): void {
  say(`\n  ${config.productName} is ready at ${address}\n\n`)
  if (firstStaff) showFirstStaff(config, firstStaff)
}

export function showFirstStaff(config: Config, { email, password }: FirstStaff): void {
  const isMadeUp = config.adminPassword === undefined
  const whenReplaced = config.production ? ' You choose your own when you log in.' : ''
  const lines = [
    `  Email     ${email}`,
    `  Password  ${isMadeUp ? password : '(as set in ADMIN_PASSWORD)'}`,
    ...(isMadeUp ? ['', `  Note the password: it is shown this once.${whenReplaced}`] : []),
  ]
  say(`${lines.join('\n')}\n\n`)
}

/** Prints the progress of a first start. */
export function showProgress(text: string): void {
  say(`  Demo data: ${text}\n`)
}
