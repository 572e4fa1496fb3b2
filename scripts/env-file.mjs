import { existsSync } from 'node:fs'

/** Settings from `.env` if there is one; environment variables that are set take precedence. */
export function loadEnvFile() {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
