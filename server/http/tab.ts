import type { FastifyRequest } from 'fastify'
import { TAB_HEADER } from '#contract/headers.ts'

/** Returns the id of the portal's tab that sent the request; undefined when it sent none. */
export function readTab({ headers }: FastifyRequest): string | undefined {
  const tab = headers[TAB_HEADER]
  return typeof tab === 'string' && /^[\w-]{8,64}$/.test(tab) ? tab : undefined
}
