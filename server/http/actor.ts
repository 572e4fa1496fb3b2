import type { FastifyRequest } from 'fastify'
import { liveEntities } from '#contract/audit-entities.ts'
import type { AuditAction } from '#contract/audit.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { toFullName } from '#contract/full-name.ts'
import type { Actor, AppContext, Person } from '../context.ts'
import type { PublishedChange } from '../modules/live/server-messages.ts'
import { AppError } from './app-error.ts'
import { isPerson } from './session.ts'

/** Creates the actor of a request: who sends it, and the version of the record that their change is based on. */
export function createActor({ clock }: AppContext, endpoint: Endpoint, request: FastifyRequest): Actor {
  const { session } = request
  const person = session && isPerson(session) ? session : undefined
  return {
    kind: session && !person ? 'api-key' : 'staff',
    id: person?.viewer?._id ?? session?.id ?? null,
    ...(person?.viewer && { seenAs: toSeenAs(person) }),
    address: request.ip,
    requestId: request.id,
    now: () => clock.now(),
    expects: readVersion(endpoint, request.headers['if-match']),
    changes: [],
  }
}

const toSeenAs = ({ staff }: Person) => `Saw what ${toFullName(staff)} sees`

/** Changes that do not count as a version of their record, and yet show on screens. */
const toldWithoutVersion = new Set<AuditAction>([
  'reorder',
  'retry',
  'dismiss',
  'second-factor',
  'second-factor-off',
  'second-factor-reset',
  'passkey-add',
  'passkey-remove',
])

/** Returns what open screens are told about this request's changes: which records changed, and in which tab. */
export function toLiveChanges({ changes }: Actor, tab: string | undefined): PublishedChange[] {
  return changes.flatMap(({ entity, id, version, action, left }) => {
    const live = liveEntities.find((name) => name === entity)
    const isTold = version !== null || toldWithoutVersion.has(action)
    if (live === undefined || !isTold) return []
    return [{ entity: live, id: id ?? undefined, version: version ?? undefined, tab, left }]
  })
}

function readVersion({ method, ifMatch }: Endpoint, header: string | undefined): Actor['expects'] {
  if (header === undefined || header === '*') {
    if (header === undefined && (method === 'PUT' || method === 'DELETE') && ifMatch === undefined) {
      throw new AppError('version_required')
    }
    return 'any'
  }
  // Also a weak ETag, which compressing proxies make of a strong one.
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (version === undefined) {
    throw new AppError('invalid_input', { message: 'If-Match must be the version of the record, such as "3".' })
  }
  return Number(version)
}
