import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = process.env.API_ORIGIN ?? 'http://localhost:4000'

/** What only the API's own document says of a call is no part of the portal. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/contract/routes.ts') ? code.replace(/\bsummary:\s*(?:'[^'\n]*'|"[^"\n]*"),?/g, '') : undefined,
}

/** From signing in to the first screen. */
const firstScreens = ['main.tsx', 'screens/login/login-screen.tsx', 'screens/dashboard/dashboard-screen.tsx']
const first = new Set<string>()

function addImports(id: string, graph: Rolldown.ChunkingContext): void {
  if (first.has(id)) return
  first.add(id)
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(imported, graph)
}

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
            // Libraries that change seldom stay cached when our own code changes.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'tanstack', test: /node_modules\/@tanstack\// },
            // What several screens draw with, in two requests instead of dozens: what the first ones need, and the rest.
            {
              name: (id, graph) => {
                for (const screen of firstScreens) addImports(`${root}/${screen}`, graph)
                if (first.has(id)) return 'shared'
                // What is asked for when it is needed stays apart.
                return graph.getModuleInfo(id)?.dynamicImporters.length ? null : 'later'
              },
              test: (id) => !id.includes('/node_modules/') || id.includes('/@mantine/form/'),
              minShareCount: 2,
              debugName: 'shared and later',
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server },
  },
})
