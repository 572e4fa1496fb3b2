import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = process.env.API_ORIGIN ?? 'http://localhost:4000'

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
            // What several screens draw with: one request instead of two dozen.
            { name: 'shared', test: (id) => !id.includes('/node_modules/'), minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server },
  },
})
