import { existsSync } from 'node:fs'

/** Settings from `.env` where there is one; what the environment says already stays. */
export function loadEnvFile() {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
