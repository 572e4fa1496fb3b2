import type { Config } from '../config.ts'
import type { FirstStaff } from './first-staff.ts'

/** Says on the terminal, beside the structured logs, where the portal is and how to sign in the first time. */
export function showWelcome(config: Config, address: string, firstStaff: FirstStaff | undefined): void {
  const lines = ['', `  ${config.productName} is ready at ${address}`]
  if (firstStaff) {
    lines.push(
      '',
      `  Email     ${firstStaff.email}`,
      `  Password  ${config.adminPassword === undefined ? firstStaff.password : '(as set in ADMIN_PASSWORD)'}`,
      ...(config.adminPassword === undefined ? ['', '  Note the password: it is shown this once.'] : []),
    )
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** What a first start is busy with. */
export function showProgress(text: string): void {
  process.stdout.write(`  Demo data: ${text}\n`)
}
