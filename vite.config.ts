import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('./web', import.meta.url))
const server = process.env.API_ORIGIN ?? 'http://localhost:4000'

/** Libraries that change seldom stay cached when our own code changes; what only some screens use stays with them. */
function vendorChunk(id: string) {
  if (/node_modules\/(react|react-dom|scheduler)\//.test(id)) return 'react'
  if (/node_modules\/@tanstack\//.test(id)) return 'tanstack'
  return undefined
}

/** The development server also serves the sources of web/api, below the same path as the API itself. */
function toOwnSource(request: IncomingMessage): string | undefined {
  return /\.tsx?(\?|$)/.test(request.url ?? '') ? request.url : undefined
}

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    rolldownOptions: { output: { manualChunks: vendorChunk } },
  },
  server: {
    proxy: { '/api': { target: server, bypass: toOwnSource }, '/uploads': server },
  },
})
