import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { AppError } from './app-error.ts'
import { createOpenApiDocument } from './openapi.ts'
import { findSignedIn } from './session.ts'

/**
 * Only here is `/api` part of the registered path, because the page finds its files relative to it (app.ts,
 * rewriteUrl).
 */
export const DOCS_PATH = '/api/docs'
export const OPENAPI_PATH = '/api/openapi.json'
/**
 * The library's own files, served without a session: they do not describe the API, and browsers send no token for them.
 */
const STATIC_PATH = `${DOCS_PATH}/static/`
const OPEN_DOCS_PATH = `${DOCS_PATH}-open.js`

/**
 * Serves the description of the API, and a page to read it. In production both need a session or an API key. A browser
 * sends no token when it opens a page, so it first gets a page that says where to sign in, and whose script fetches the
 * real one with the token.
 */
export async function addDocs(app: FastifyInstance, context: AppContext): Promise<void> {
  const { config } = context
  const document = createOpenApiDocument(config.productName)
  const requireSession = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!config.production || request.url.startsWith(STATIC_PATH)) return
    reply.header('cache-control', 'no-store')
    if (await findSignedIn(context, request)) return
    const isPage = request.url.split('?')[0]?.replace(/\/$/, '') === DOCS_PATH
    if (!isPage || !(request.headers.accept ?? '').includes('text/html')) throw new AppError('not_signed_in')
    return reply.code(401).header('www-authenticate', 'Bearer').type('text/html; charset=utf-8').send(SIGN_IN_PAGE)
  }
  await app.register(swagger, {
    mode: 'static',
    // The plugin's type describes only documents that it generates; a test checks ours against OpenAPI 3.1.
    specification: { document: document as never },
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    // The plugin types the interceptor as one for fetch, but the library passes it a plain object.
    uiConfig: { docExpansion: 'none', persistAuthorization: false, requestInterceptor: addToken as never },
    // oxlint-disable-next-line typescript/no-misused-promises -- the plugin's type knows hooks with a callback alone; the framework awaits a promise
    uiHooks: { onRequest: requireSession },
  })
  app.get(OPENAPI_PATH, { onRequest: requireSession }, async (_request, reply) => reply.send(document))
  app.get(OPEN_DOCS_PATH, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(`(${openDocs.toString()})()`),
  )
}

/** This and addToken run in the browser, which gets their source. The portal stores the token (web/api/session.ts). */
function openDocs() {
  const token = localStorage.getItem('token')
  if (!token) return
  fetch(location.pathname, { headers: { authorization: `Bearer ${token}` } })
    .then(async (response) => {
      // The session has ended: the page keeps saying where to sign in.
      if (!response.ok) return
      const page = await response.text()
      document.open()
      document.write(page)
      document.close()
    })
    .catch(() => undefined)
}

function addToken(request: { url: string; headers: Record<string, string> }) {
  const token = localStorage.getItem('token')
  const isOurs = new URL(request.url, location.href).origin === location.origin
  if (token && isOurs) request.headers.Authorization ??= `Bearer ${token}`
  return request
}

const SIGN_IN_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API documentation</title>
<link rel="icon" href="${STATIC_PATH}favicon-32x32.png"></head>
<body>
<main>
<h1>API documentation</h1>
<p>Sign in to read it: <a href="/login">go to the login</a>, then open this page again.</p>
</main>
<script src="${OPEN_DOCS_PATH}"></script>
</body>
</html>
`
