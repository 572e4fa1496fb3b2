import { existsSync } from 'node:fs'

/** Loads settings from `.env` if there is one; environment variables that are already set take precedence. */
export function loadEnvFile() {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
