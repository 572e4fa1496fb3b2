import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'
import { hasBody } from './connections.ts'

/** Refuses other encodings, whose letters would otherwise be stored as the same sign for an unknown character. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Accepts JSON bodies, forms where files are uploaded, and empty bodies whatever their content type (rules §16.6), because
 * some clients send an empty body as JSON. Any other body is a 415, and so is a compressed one, because a few bytes could
 * expand to fill the memory.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404 || !hasBody(request)) return done(null, payload)
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.trim().toLowerCase() !== 'identity') {
      const message = 'Send the body as it is, without compression (Content-Encoding).'
      return done(new AppError('unsupported_type', { message }))
    }
    const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (isMultipart && !request.routeOptions.config.isUpload) return done(notJson())
    done(null, payload)
  })
  app.removeAllContentTypeParsers()
  const json = /^application\/([\w.-]+\+)?json/i
  app.addContentTypeParser<Buffer>(json, { parseAs: 'buffer' }, (_request, body, done) => {
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(new AppError('invalid_json', { message: 'The request body is not UTF-8.' }), undefined)
    }
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
    done(notJson(), undefined)
  })
}

const notJson = () => new AppError('unsupported_type', { message: 'Send JSON with the content type application/json.' })
