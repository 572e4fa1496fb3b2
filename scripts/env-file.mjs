import { existsSync } from 'node:fs'

/** Loads settings from `.env` if there is one; environment variables that are already set take precedence. */
export function loadEnvFile() {
  if (!existsSync('.env')) return
  try {
    process.loadEnvFile('.env')
  } catch {
    // Node says of any file that it cannot read that there is none.
    process.stderr.write('The file .env cannot be read. See that it is a file, and that this user may read it.\n')
    process.exit(1)
  }
}
