import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = process.env.API_ORIGIN ?? 'http://localhost:4000'

/** What nearly every screen draws with; together they are smaller, and one request instead of a dozen. */
const everyday =
  /web\/ui\/((button|copy-id|data-table|filter-bar|image|menu|native-select|page-header|pager|panel|skeleton|spinner|state-messages|status-chip|visually-hidden)\/|(class-names|icons\/drawn-icon|icons\/icons|problem|toasts\/toasts|use-media)\.)/

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Libraries that change seldom stay cached when our own code changes.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'tanstack', test: /node_modules\/@tanstack\// },
            { name: 'parts', test: everyday },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server },
  },
})
