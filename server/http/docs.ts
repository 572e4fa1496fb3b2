import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createOpenApiDocument } from './openapi.ts'

/** Here alone the `/api` is part of the registered path: the page's own files are found relative to it (app.ts, rewriteUrl). */
export const DOCS_PATH = '/api/docs'
export const OPENAPI_PATH = '/api/openapi.json'

export async function addDocs(app: FastifyInstance, productName: string): Promise<void> {
  const document = createOpenApiDocument(productName)
  await app.register(swagger, {
    mode: 'static',
    // The plugin's type knows OpenAPI documents of its own making; ours is checked by a test against the 3.1 rules.
    specification: { document: document as never },
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    uiConfig: { docExpansion: 'none', persistAuthorization: false },
  })
  app.get(OPENAPI_PATH, async (_request, reply) => reply.send(document))
}
