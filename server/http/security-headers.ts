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
 * Creates the headers that tell browsers what they may do with a response. They are the same for every response, so
 * they are made only once: making them each time took a twentieth of a small request's processor time.
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
        // For WebAssembly, with which the portal reads QR codes where the browser cannot.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        connectSrc: ["'self'"],
        // The portal has no <base> element: injected markup could use one to redirect relative URLs.
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
