import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { isExternal } from './server/db/embedded/build-worker.ts'

/** Puts the images of the demo data beside the server, which each build of a watcher empties. */
const demoImages: Plugin = {
  name: 'demo-images',
  writeBundle: ({ dir = '' }) => cpSync(join('server', 'demo', 'images'), join(dir, 'images'), { recursive: true }),
}

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
  external: isExternal,
  plugins: [demoImages],
  output: { dir: 'dist/server', format: 'esm', sourcemap: true, cleanDir: true },
})
