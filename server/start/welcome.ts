import type { Config } from '../config.ts'
import type { FirstStaff } from './first-staff.ts'

/** To people: when standard output is no terminal it belongs to the logs alone, and is read by programs. */
function say(text: string): void {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr
  stream.write(text)
}

/** Says on the terminal, beside the structured logs, where the portal is and how to sign in the first time. */
export function showWelcome(config: Config, address: string, firstStaff: FirstStaff | undefined): void {
  say(`\n  ${config.productName} is ready at ${address}\n\n`)
  if (firstStaff) showFirstStaff(config, firstStaff)
}

export function showFirstStaff(config: Config, { email, password }: FirstStaff): void {
  const isMadeUp = config.adminPassword === undefined
  const lines = [
    `  Email     ${email}`,
    `  Password  ${isMadeUp ? password : '(as set in ADMIN_PASSWORD)'}`,
    ...(isMadeUp ? ['', '  Note the password: it is shown this once.'] : []),
  ]
  say(`${lines.join('\n')}\n\n`)
}

/** What a first start is busy with. */
export function showProgress(text: string): void {
  say(`  Demo data: ${text}\n`)
}
