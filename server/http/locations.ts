import { type RawBuilder, sql } from 'kysely'
import { type AuditEntity, locatedEntities, sharedEntities } from '#contract/audit-entities.ts'
import { isEdit, type LocatedKind, type Route } from '#contract/routes.ts'
import type { AppContext, SignedIn } from '../context.ts'
import type { Db } from '../db/client.ts'
import { tablesOfKinds } from '../db/within-locations.ts'
import { isId } from '../ids.ts'
import { AppError, notFound } from './app-error.ts'

/**
 * Access by location, checked per request (rules §37.2). `server/db/within-locations.ts` limits what a request can
 * read.
 */

const tables = { ...tablesOfKinds, change: 'audit' } as const
type Kind = keyof typeof tables

const isLocated = (entity: string): entity is Kind & AuditEntity => entity in tablesOfKinds

/** Whether a change of a record that the sender can see would reach beyond their locations. */
const reachesOut: Partial<Record<Kind, (ids: readonly string[], locations: readonly string[]) => RawBuilder<boolean>>> =
  {
    closure: (ids, locations) => sql`exists (
    select from closure_pods join pods on pods.id = pod_id
     where closure_id = any(${ids}::uuid[]) and pods.location_id <> all(${locations}::uuid[]))`,
    series: (ids, locations) => sql`exists (
    select from bookings where series_id = any(${ids}::uuid[]) and location_id <> all(${locations}::uuid[]))`,
    change: (ids, locations) => sql`exists (
    select from audit
     where id = any(${ids}::uuid[]) and not (
       (entity = any(${locatedEntities}::text[]) or entity = any(${sharedEntities}::text[]) and action = 'edit')
       and coalesce((before ->> 'location_id')::uuid = any(${locations}::uuid[]), true)
       and coalesce((select location_id = any(${locations}::uuid[]) from pods where id = (before ->> 'pod_id')::uuid), true)))`,
  }

/** Throws when an endpoint that requires all locations is requested by someone who has only some. */
export function requireAllLocations({ locations }: Route, session: SignedIn): void {
  if (locations === 'all' && session.locations) throw new AppError('all_locations_required')
}

/** The fields of a body or query that name a record of a location, and the kind of that record. */
const kindsOfFields: Readonly<Record<string, Kind>> = {
  pod: 'pod',
  podId: 'pod',
  podIds: 'pod',
  location: 'location',
  locationId: 'location',
  booking: 'booking',
  bookingId: 'booking',
  userId: 'customer',
  companyId: 'company',
}

type Asked = { params: Record<string, string>; query: unknown; body: unknown }

/**
 * Checks a request of someone who has only some locations. A record that the request names outside of them is a 404, as
 * if it did not exist; an edit that would reach beyond them is a 403. All other reads are narrowed, but rows that a
 * handler locks are found by these ids alone.
 */
export async function requireOwnRecords(
  { shortReads }: Pick<AppContext, 'shortReads'>,
  narrowed: Pick<AppContext, 'shortReads'>,
  route: Route,
  locations: readonly string[],
  { params, query, body }: Asked,
): Promise<void> {
  const ids = new Map<Kind, Set<string>>()
  const note = (kind: Kind, id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  if (typeof route.locations === 'object') {
    const [id = ''] = Object.values(params)
    note(toKind(route.locations.of, body), id)
  }
  if (isEdit(route) && route.locations !== 'none') for (const [kind, id] of listIds({ query, body })) note(kind, id)
  for (const [kind, wanted] of ids) {
    if (!(await areSeen(narrowed.shortReads, kind, [...wanted]))) throw notFound('Record')
    const outside = isEdit(route) && reachesOut[kind]?.([...wanted], locations)
    if (!outside) continue
    const { rows } = await sql<{ is_outside: boolean }>`select ${outside} as is_outside`.execute(shortReads)
    if (rows[0]?.is_outside) throw new AppError('all_locations_required')
  }
}

/** Returns those of the ids that can be seen in a database that is narrowed to some locations. */
export async function listSeen(narrowed: Db, entity: AuditEntity, ids: readonly string[]): Promise<Set<string>> {
  if (!isLocated(entity)) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[entity])} where id = any(${ids.filter(isId)}::uuid[])`.execute(narrowed)
  return new Set(rows.map(({ id }) => id))
}

async function areSeen(narrowed: Db, kind: Kind, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ seen: number }>`
    select count(*) as seen from ${sql.table(tables[kind])} where id = any(${ids}::uuid[])`.execute(narrowed)
  return rows[0]?.seen === ids.length
}

/** Replaces `deleted` with the kind that the body names; throws when restoring that kind requires all locations. */
function toKind(kind: LocatedKind, body: unknown): Kind {
  if (kind !== 'deleted') return kind
  const { entity } = body as { entity: AuditEntity } // by the schema of the only endpoint that restores
  const own = locatedEntities.find((one) => one === entity)
  if (own === undefined) throw new AppError('all_locations_required')
  return own
}

function* listIds(value: unknown, field = ''): Generator<[Kind, string]> {
  const kind = kindsOfFields[field]
  if (typeof value === 'string') {
    if (kind && isId(value)) yield [kind, value]
  } else if (Array.isArray(value)) for (const item of value) yield* listIds(item, field)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* listIds(inner, name)
  }
}
