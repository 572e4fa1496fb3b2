import { isAbsolute } from 'node:path'
import { defineConfig } from 'rolldown'

/** Packages with a hundred or more small modules: reading them one by one would add 200 ms to each start. */
const bundled = /^(?:kysely|zod)(?:\/|$)/

/** Bundles the server, its commands and the embedded database's worker; other packages stay in node_modules. */
export default defineConfig({
  input: {
    main: 'server/main.ts',
    'database-worker': 'server/db/embedded/worker.ts',
    migrate: 'server/commands/migrate.ts',
    'create-staff': 'server/commands/create-staff.ts',
    'reset-second-factor': 'server/commands/reset-second-factor.ts',
    seed: 'server/commands/seed.ts',
    'change-secret': 'server/commands/change-secret.ts',
    'archive-audit': 'server/commands/archive-audit.ts',
    backup: 'server/commands/backup.ts',
    restore: 'server/commands/restore.ts',
  },
  platform: 'node',
  external: (id) => !bundled.test(id) && !/^[.#]/.test(id) && !isAbsolute(id),
  output: { dir: 'dist/server', format: 'esm', sourcemap: true, cleanDir: true },
})
