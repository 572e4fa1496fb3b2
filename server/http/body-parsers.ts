import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'
import { hasBody } from './connections.ts'

/**
 * Accepts JSON bodies, and empty ones whatever their content type (rules §16.6), because some clients send an empty
 * body as JSON. Any other body is a 415, and so is a compressed one, because a few bytes could expand to fill the
 * memory.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.trim().toLowerCase() === 'identity' || request.is404 || !hasBody(request)) return done(null, payload)
    done(
      new AppError('unsupported_type', { message: 'Send the body as it is, without compression (Content-Encoding).' }),
    )
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json/i, { parseAs: 'string' }, (_request, body, done) => {
    const text = body.toString()
    if (text.trim() === '') return done(null, undefined)
    try {
      // Zod parses it afterwards and takes only the keys that a schema names, so a `__proto__` has no effect.
      done(null, JSON.parse(text))
    } catch {
      done(new AppError('invalid_json'), undefined)
    }
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    done(new AppError('unsupported_type', { message: 'Send JSON with the content type application/json.' }), undefined)
  })
}
