import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PortalSettings } from '#contract/settings.ts'
import type { Config } from '../config.ts'
import { notFound } from './app-error.ts'
import { sendError } from './error-handler.ts'

/**
 * Serves the built portal: its files with a hash in the name for a year, its page for every path that someone may want
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
  const sendPage = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  app.setNotFoundHandler((request, reply) => {
    if (page === undefined || !wantsPage(request)) return sendError(request, reply, notFound('This path was'))
    return sendPage(reply)
  })
  // A screen may have the path of an endpoint, which answers without /api too: /schedule.
  app.addHook('onRequest', async (request, reply) => {
    if (page === undefined || !request.routeOptions.config.mayBeRefused) return
    if (wantsPage(request) && namesHtml(request) && request.headers.authorization === undefined) return sendPage(reply)
  })
}

/** A browser that opens an address does; clients of the API do not. */
function namesHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/** Health checks, scripts and `curl` name no type, and take any; the API's clients ask for JSON alone. */
function wantsPage({ method, originalUrl, headers }: FastifyRequest): boolean {
  const [path = ''] = originalUrl.split('?')
  if ((method !== 'GET' && method !== 'HEAD') || path === '/api' || path.startsWith('/api/')) return false
  const types = (headers.accept ?? '*/*').split(',').map((type) => type.trim().toLowerCase())
  const takes = (pattern: RegExp) => types.some((type) => pattern.test(type) && !/;\s*q=0(\.0*)?$/.test(type))
  if (takes(/^text\/html\b/)) return true
  // A script or an image that is not there any more is asked for as anything too; the page in its place would only confuse.
  const isFile = /\.\w+$/.test(path)
  return !isFile && takes(/^(\*|text)\/\*/)
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
