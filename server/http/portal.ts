import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { PortalSettings } from '#contract/settings.ts'
import type { Config } from '../config.ts'
import { notFound } from './app-error.ts'
import { sendError } from './error-handler.ts'

/**
 * Serves the built portal: its files with a hash in the name for a year, its page for every path that a browser asks
 * to see (the portal's own router decides), and a JSON 404 for every other unknown path.
 */
export async function addPortal(app: FastifyInstance, config: Config, folder: string | undefined): Promise<void> {
  const page = folder === undefined ? undefined : readPage(folder, config)
  if (folder !== undefined && page !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      wildcard: false,
      globIgnore: ['index.html', '**/*.map'],
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(folder, 'assets'))
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const wantsPage = isPage && (request.headers.accept ?? '').includes('text/html')
    const underApi = request.originalUrl === '/api' || request.originalUrl.startsWith('/api/')
    if (page === undefined || !wantsPage || underApi) return sendError(request, reply, notFound('This path was'))
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  })
}

/** The page carries the settings it needs before anyone is signed in, so that no request has to fetch them. */
function readPage(folder: string, config: Config): string | undefined {
  const path = join(folder, 'index.html')
  if (!existsSync(path)) return undefined
  const settings: PortalSettings = {
    productName: config.productName,
    businessTimeZone: config.businessTimeZone,
    appStoreUrl: config.appStoreUrl ?? null,
    playStoreUrl: config.playStoreUrl ?? null,
  }
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c')
  return readFileSync(path, 'utf8')
    .replaceAll('%PRODUCT_NAME%', escapeHtml(config.productName))
    .replace('</head>', `<script id="settings" type="application/json">${json}</script></head>`)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
