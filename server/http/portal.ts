import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PortalSettings } from '#contract/settings.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'
import { AppError } from './app-error.ts'
import { sendError } from './error-handler.ts'

const MANIFEST = 'manifest.webmanifest'

const NO_ENDPOINT = 'No endpoint has this method and path. See /api/docs for those that there are.'

/**
 * Serves the built portal: files with a hash in their name may be cached for a year, paths that a browser opens get the
 * portal's page, whose own router decides, and every other unknown path is a JSON 404.
 */
export async function addPortal(app: FastifyInstance, config: Config, folder: string | undefined): Promise<void> {
  const page = folder === undefined ? undefined : readPage(folder, config)
  if (folder !== undefined && page !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      wildcard: false,
      globIgnore: ['index.html', `${MANIFEST}*`, '**/*.map'],
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(folder, 'assets'))
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
      },
    })
    const manifest = readManifest(folder, config)
    app.get(`/${MANIFEST}`, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type('application/manifest+json').send(manifest),
    )
  }
  const sendPage = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  app.setNotFoundHandler((request, reply) => {
    if (page === undefined || !wantsPage(request)) {
      return sendError(request, reply, new AppError('not_found', { message: NO_ENDPOINT }))
    }
    return sendPage(reply)
  })
  // A screen may have the same path as an endpoint, which also works without /api: /schedule.
  app.addHook('onRequest', async (request, reply) => {
    if (page === undefined || !request.routeOptions.config.mayBeRefused) return
    if (wantsPage(request) && namesHtml(request) && request.headers.authorization === undefined) return sendPage(reply)
  })
}

/** Whether the request accepts HTML by name, as browsers that open a page do and clients of the API do not. */
function namesHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/**
 * Whether the response may be the page: health checks, scripts and `curl` accept any type, clients of the API only
 * JSON.
 */
function wantsPage({ method, originalUrl, headers }: FastifyRequest): boolean {
  const [path = ''] = originalUrl.split('?')
  // Also with two slashes, as clients send it whose base address ends in one.
  if ((method !== 'GET' && method !== 'HEAD') || /^\/+api(\/|$)/.test(path)) return false
  const types = (headers.accept ?? '*/*').split(',').map((type) => type.trim().toLowerCase())
  const takes = (pattern: RegExp) => types.some((type) => pattern.test(type) && !/;\s*q=0(\.0*)?$/.test(type))
  if (takes(/^text\/html\b/)) return true
  // A missing script or image may also be requested with any type; sending the page instead would only confuse.
  const isFile = /\.\w+$/.test(path)
  return !isFile && takes(/^(\*|text)\/\*/)
}

/**
 * Reads the page and adds the settings that it needs before anyone signs in, so that it does not have to request them.
 */
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
  return (
    readFileSync(path, 'utf8')
      // Functions, because a $ in a replacement text has a meaning.
      .replaceAll('%PRODUCT_NAME%', () => escapeHtml(config.productName))
      .replace('</head>', () => `<script id="settings" type="application/json">${json}</script></head>`)
  )
}

/** Reads what a browser shows of the portal once it is installed as an app. */
function readManifest(folder: string, config: Config): string {
  const name = JSON.stringify(config.productName).slice(1, -1)
  return readFileSync(join(folder, MANIFEST), 'utf8').replaceAll('%PRODUCT_NAME%', () => name)
}
