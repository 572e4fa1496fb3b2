import type { FastifyRequest } from 'fastify'
import { TAB_HEADER } from '#contract/live-entities.ts'

/** The tab of the portal that sends the request, where it says so. */
export function readTab({ headers }: FastifyRequest): string | undefined {
  const tab = headers[TAB_HEADER]
  return typeof tab === 'string' && /^[\w-]{8,64}$/.test(tab) ? tab : undefined
}
