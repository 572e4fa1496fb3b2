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
            // Modules that several screens share, in two requests instead of dozens: those that the first screens need,
            // and the rest.
            {
              name: (id, graph) => {
                for (const screen of firstScreens) addImports(`${root}/${screen}`, graph)
                if (first.has(id)) return 'shared'
                // Modules that are imported dynamically stay separate.
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
