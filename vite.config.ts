import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = process.env.API_ORIGIN ?? 'http://localhost:4000'

/** What only the API's own document says of a call is no part of the portal. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/contract/routes.ts') ? code.replace(/\bsummary:\s*(?:'[^'\n]*'|"[^"\n]*"),?/g, '') : undefined,
}

const ofForms =
  /@mantine\/form\/|\/web\/components\/(?:second-factor\/|new-password|use-form-dialog|note-dialog)|\/web\/ui\/(?:form\.ts|form-modal\/|compare-fields\/)|\/contract\/password-rules\.ts/
const ofDialogs =
  /\/web\/components\/(?:booked-for|booking|closures|opening-hours|series)\/|\/web\/components\/(?:locations-field|page-access-field|override-reason)\.tsx|\/web\/components\/history\/change-(?:item|words|fields)|\/web\/ui\/(?:calendar\/calendar\.|checkbox-group\/|date-field\/date-field|number-field\/)|\/contract\/countries\.ts/

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
            // Loaded with the first form, and with the first screen that has more than a list.
            { name: 'forms', test: ofForms, minShareCount: 2, priority: 2 },
            { name: 'dialogs', test: ofDialogs, minShareCount: 2, priority: 2 },
            // What several screens draw with: one request instead of two dozen.
            { name: 'shared', test: (id) => !id.includes('/node_modules/'), minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server },
  },
})
