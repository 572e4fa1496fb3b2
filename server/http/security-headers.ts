import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

export function addSecurityHeaders(app: FastifyInstance, headers: OutgoingHttpHeaders): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/**
 * What browsers may do with a response, said in its headers. They are the same for every response, so they are made once:
 * made anew each time they took a twentieth of a small request's processor time.
 */
export function createSecurityHeaders({ overHttps }: { overHttps: boolean }): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const addHeaders = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // Pods may have images from other hosts; placeholders are data: URLs and previews blob: ones.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        // The component library sets sizes and positions as inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // WebAssembly, in which the portal reads QR codes where the browser cannot.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        connectSrc: ["'self'"],
        // The portal names none: whoever got markup into a page could lead its relative addresses elsewhere.
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: overHttps ? [] : null,
      },
    },
    strictTransportSecurity: overHttps,
    crossOriginResourcePolicy: { policy: 'same-site' },
  })
  addHeaders(request, response, (error) => {
    if (error) throw error
  })
  return { ...response.getHeaders() }
}
