import { defineConfig } from 'rolldown'
import product from '../rolldown.config.ts'

/**
 * The benchmark and the programs that it runs in separate processes; the server that it measures is the product's
 * build.
 */
export default defineConfig({
  ...product,
  input: {
    main: 'bench/main.ts',
    'bare-server': 'bench/bare-server.ts',
    flood: 'bench/flood.ts',
    'database-worker': 'server/db/embedded/worker.ts',
  },
  output: { dir: 'dist/bench', format: 'esm', sourcemap: true, cleanDir: true },
})
