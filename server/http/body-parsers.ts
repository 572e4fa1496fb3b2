import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'

/**
 * JSON bodies, and empty ones whatever their content type says (decisions §5): other clients send an empty body with a
 * JSON content type. A body of any other kind is a 415.
 */
export function addBodyParsers(app: FastifyInstance): void {
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
