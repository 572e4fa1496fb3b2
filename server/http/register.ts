import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { isUndoOffered } from '#contract/audit-rules.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { toInView } from '#contract/routes.ts'
import type { Actor, AppContext, RecordedChange, SignedIn } from '../context.ts'
import { isId } from '../ids.ts'
import { createOnce } from '../modules/idempotency/create-once.ts'
import { endOverView } from '../modules/view-as/view-as.service.ts'
import { createActor, toLiveChanges } from './actor.ts'
import { noteKeyUse } from './api-key.ts'
import { AppError, fieldError, notFound } from './app-error.ts'
import { hasBody } from './connections.ts'
import type { Handlers } from './handler.ts'
import { readIdempotency } from './idempotency.ts'
import { toFieldErrors, toInputMessage } from './input-messages.ts'
import { requireAllLocations, requireOwnRecords } from './locations.ts'
import { isLimited } from './request-limit.ts'
import { createItemSerialiser, createSerialiser, sendResult } from './send-result.ts'
import { asSeen, findSignedIn, isPerson, noteUse, requireAccess, requireConfirmed } from './session.ts'
import { findUnstorable } from './storable.ts'
import { readTab } from './tab.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: SignedIn | undefined
    /** The sender's id, also when the request is refused; undefined when nobody is signed in. */
    actorId: string | undefined
    bookingsMade: number
  }
  interface FastifyContextConfig {
    isEventStream?: boolean
  }
}

/** The most bytes of a body from people who are not signed in: reading JSON holds up all others. */
const MOST_FROM_ANYONE = 64 * 1024

/** How long what was checked before the body is read is relied on afterwards; a body may take half a minute. */
const ADMITTED_FOR_MS = 1_000

/** A handler without its endpoint's types, which matter only where it is written. */
type AnyHandler = (input: Record<string, unknown>) => Promise<unknown>

/**
 * Registers a route for each endpoint: it checks access, parses the input, runs the handler and applies the response
 * schema.
 */
export function registerEndpoints<Groups extends Record<string, Record<string, Endpoint>>>(
  app: FastifyInstance,
  context: AppContext,
  groups: Groups,
  handlers: { [Domain in keyof Groups]: Handlers<Groups[Domain]> },
): void {
  for (const [domain, group] of Object.entries(groups)) {
    for (const [name, endpoint] of Object.entries(group)) {
      // Each handler is typed by its endpoint; here only the shape matters.
      const handle = handlers[domain]?.[name] as unknown as AnyHandler
      registerEndpoint(app, context, endpoint, handle)
    }
  }
}

function registerEndpoint(app: FastifyInstance, context: AppContext, endpoint: Endpoint, handle: AnyHandler): void {
  const status = endpoint.status ?? 200
  const toItemText = createItemSerialiser(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.access === 'public' && { bodyLimit: MOST_FROM_ANYONE }),
    config: { mayBeRefused: true, isUpload: endpoint.kind === 'multipart', isEventStream: endpoint.kind === 'events' },
    ...(endpoint.kind === 'csv' || endpoint.kind === 'events'
      ? {}
      : {
          schema: { response: { [status]: endpoint.response } },
          serializerCompiler: () => createSerialiser(endpoint.response),
        }),
    onRequest: async (request, reply) => {
      if (endpoint.access !== 'public') {
        const found = await findSignedIn(context, request)
        request.actorId = found?.id
        if (found && !isPerson(found)) await context.keyLimit(found.id)
        if (found && isPerson(found) && isLimited(endpoint)) await context.staffLimit(found.id)
        setAccessHeaders(reply, toSeen(found))
        if (found && isPerson(found)) await endOverView(context, found, { address: request.ip, requestId: request.id })
        const session = admit(context, endpoint, found)
        if (isPerson(session)) setIdleHeader(reply, context, await noteUse(context, session, request))
        else await noteKeyUse(context, session, request.ip)
        request.session = session
      }
      // Checked before the body is read.
      request.params = readIds(request.params)
    },
    handler: async (request, reply) => {
      // Whoever sends a body slowly may have been blocked, or signed out elsewhere, meanwhile.
      const admitAgain = async () => {
        if (request.session && hasBody(request) && reply.elapsedTime > ADMITTED_FOR_MS)
          request.session = admit(context, endpoint, await findSignedIn(context, request))
      }
      await admitAgain()
      const actor = createActor(context, endpoint, request)
      const query = endpoint.query ? parse('query', endpoint.query, request.query ?? {}) : undefined
      const body = endpoint.body ? parse('body', endpoint.body, request.body) : undefined
      actor.idempotency = readIdempotency(endpoint, request, reply)
      const { params, session } = request
      const own = session?.locations ? { ...context, ...context.within(session.locations) } : context
      if (session?.locations)
        await requireOwnRecords(context, own, endpoint, session.locations, {
          params: (request.params ?? {}) as Record<string, string>,
          query,
          body,
        })
      const run = (inner: AppContext) =>
        handle({ params, query, body, session, context: inner, actor, request, admitAgain })
      // Handlers of these endpoints call createOnce themselves, after their slow work.
      const callsItself = endpoint.idempotent || endpoint.preparesOutside
      const result = callsItself ? await run(own) : await createOnce(own, actor, run)
      request.bookingsMade = actor.changes.filter(isBookingMade).length
      setChangeHeaders(reply, actor, session)
      context.live.publish(toLiveChanges(actor, readTab(request)))
      reply.code(status)
      return sendResult(endpoint, reply, result, toItemText)
    },
  })
}

/** Shows clients what the sender may do now. Errors have these headers too, but a 401 does not. */
function setAccessHeaders(reply: FastifyReply, seen: Found): void {
  if (!seen) return
  // The menu follows changed pages without a new sign-in (rules §2.4).
  reply.header('x-auth-pages', seen.pages.join(','))
  reply.header('x-auth-view-only', seen.viewOnlyPages.join(','))
  if (seen.locations) reply.header('x-auth-locations', toHeader(seen.locations))
  if (isPerson(seen) && seen.viewer) reply.header('x-auth-view-as', seen.id)
}

/** Says when the session ends unless it is used (rules §33.5), so that the portal can warn. */
function setIdleHeader(reply: FastifyReply, { config }: AppContext, lastUsedAt: Date): void {
  reply.header('x-auth-idle-until', new Date(lastUsedAt.getTime() + config.sessionIdleMs).toISOString())
}

/** Says which change the request has made, and whether it can be undone; for a repeated request, what the first made. */
function setChangeHeaders(reply: FastifyReply, actor: Actor, session: SignedIn | undefined): void {
  const replayed = actor.idempotency?.replayed
  if (replayed) reply.header('idempotency-replayed', 'true')
  const change = actor.changes.at(-1)
  const changeId = replayed ? replayed.changeId : change?.auditId
  if (changeId) reply.header('x-change-id', changeId)
  const undoEntity = (replayed ?? change)?.undoEntity
  if (changeId && undoEntity && session && isUndoOffered(undoEntity, session)) {
    reply.header('x-undo-id', changeId)
    if (replayed?.isOneOfSeveral ?? actor.changes.some((other) => isAlike(other, change)))
      reply.header('x-undo-scope', 'request')
  }
}

/** Whether the request has changed another record in the same way, as with a series: then both are undone together. */
function isAlike(other: RecordedChange, change: RecordedChange | undefined): boolean {
  return other.id !== change?.id && other.entity === change?.entity && other.action === change?.action
}

/** A proxy may refuse a response whose headers exceed 4 kB, and somebody may have a thousand locations. */
const MOST_IN_HEADER = 50

/** Returns the ids, or if there are too many, a hash of them: clients only have to notice that they have changed. */
function toHeader(locations: readonly string[]): string {
  const ids = locations.join(',')
  return locations.length > MOST_IN_HEADER ? createHash('sha256').update(ids).digest('hex') : ids
}

type Found = Awaited<ReturnType<typeof findSignedIn>>

/** Checks what the sender may do, and returns the session that the handler sees. */
function admit(context: AppContext, endpoint: Endpoint, found: Found): NonNullable<Found> {
  const session = requireAccess(endpoint, toInView(endpoint) === 'own' ? found : toSeen(found))
  requireAllLocations(endpoint, session)
  if (endpoint.sensitive) requireConfirmed(context, session)
  return session
}

const toSeen = (found: Found) => (found && isPerson(found) ? asSeen(found) : found)

const isBookingMade = ({ entity, action }: Actor['changes'][number]) => entity === 'booking' && action === 'create'

/** Parses a query or body; throws a 400. All text from clients passes through here, except for ids in the path. */
function parse(part: 'query' | 'body', schema: z.core.$ZodType, value: unknown): unknown {
  const unstorable = findUnstorable(value)
  if (unstorable !== undefined) {
    throw fieldError(unstorable, `${unstorable || 'This text'} has a character that cannot be stored`)
  }
  const result = z.safeParse(schema, value, { error: toInputMessage })
  if (result.success) return result.data
  const fields = toFieldErrors(part, value, result.error.issues)
  // Clients that read only `message` also learn what is wrong.
  const message = value === undefined ? 'A JSON body is required' : (fields[0]?.message ?? '')
  throw new AppError('invalid_input', { message, fields })
}

/**
 * Returns the ids of the path in lower case, as the database returns them. Throws a 404 for a malformed id, as for an
 * unknown one (rules §16.4).
 */
function readIds(params: unknown): Record<string, string> {
  const ids = Object.entries((params ?? {}) as Record<string, string>) // what Fastify has read from the path
  if (!ids.every(([, id]) => isId(id))) throw notFound('Record')
  return Object.fromEntries(ids.map(([name, id]) => [name, id.toLowerCase()]))
}
