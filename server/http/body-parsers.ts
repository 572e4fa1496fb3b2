import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'
import { hasBody } from './connections.ts'

/**
 * JSON bodies, and empty ones whatever their content type says (rules §16.6): other clients send an empty body with a
 * JSON content type. A body of any other kind is a 415, and so is a compressed one: a few bytes could fill the memory.
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
      // Parsed by zod afterwards, which takes named keys alone: a `__proto__` in the text reaches nothing.
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
