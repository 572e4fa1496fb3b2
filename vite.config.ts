import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = `http://localhost:${process.env.PORT || 4000}`

/** Removes the summaries of endpoints, which only the API documentation needs, from the portal. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/contract/routes.ts') ? code.replace(/\bsummary:\s*(?:'[^'\n]*'|"[^"\n]*"),?/g, '') : undefined,
}

/** The entry point and the screens from signing in to the first one. */
const firstScreens = ['main.tsx', 'screens/login/login-screen.tsx', 'screens/dashboard/dashboard-screen.tsx']
const first = new Set<string>()

function addImports(id: string, graph: Rolldown.ChunkingContext): void {
  if (first.has(id)) return
  first.add(id)
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(imported, graph)
}

const shared = {
  test: (id: string) => !id.includes('/node_modules/') || id.includes('/@mantine/form/'),
  minShareCount: 2,
  debugName: 'shared',
}

function inFirstScreens(id: string, graph: Rolldown.ChunkingContext): string | null {
  for (const screen of firstScreens) addImports(`${root}/${screen}`, graph)
  return first.has(id) ? 'shared' : null
}

/** Modules that are imported dynamically stay separate. */
const inOtherScreens = (name: string) => (id: string, graph: Rolldown.ChunkingContext) =>
  graph.getModuleInfo(id)?.dynamicImporters.length ? null : name

export default defineConfig({
  root,
  plugins: [withoutSummaries, react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Libraries that rarely change stay cached when our own code changes.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'tanstack', test: /node_modules\/@tanstack\// },
            // Modules that screens share, in a few requests instead of dozens: those of the first screens, those that
            // three or more others need, and the rest.
            { ...shared, name: inFirstScreens },
            { ...shared, name: inOtherScreens('common'), minShareCount: 3 },
            { ...shared, name: inOtherScreens('rest') },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server },
  },
})
