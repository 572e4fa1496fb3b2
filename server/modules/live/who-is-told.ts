import { describeLive, type LiveEntity, listViewers, liveEntities } from '#contract/audit-entities.ts'
import type { LiveChange } from '#contract/live.ts'
import type { Person } from '#server/context.ts'

/** What a hint is about: one record or, without an id, all records of a kind. */
export type Told = { entity: LiveEntity; id?: string | undefined; left?: string | undefined }

/** Returns the ids of those records that staff with only these locations may see. */
export type ListSeen = (
  locations: readonly string[],
  entity: LiveEntity,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>

type Pages = Pick<Person, 'pages'>

const viewers = new Map(liveEntities.map((entity) => [entity, listViewers(entity)]))

export const mayRead = ({ pages }: Pages, entity: LiveEntity) =>
  describeLive(entity).readers.some(({ access }) => access.some((page) => pages.includes(page)))

const mayView = ({ pages }: Pages, entity: LiveEntity) =>
  viewers.get(entity)?.some((page) => pages.includes(page)) ?? false

/** Returns what somebody with these pages is told: which record, if they may read it, else only of what kind it is. */
export function toToldChanges(person: Pages, changes: readonly (LiveChange & Told)[]): LiveChange[] {
  const readable = changes.filter(({ entity }) => mayRead(person, entity))
  const kinds = new Set(changes.map(({ entity }) => entity))
  const viewable = [...kinds].filter((entity) => !mayRead(person, entity) && mayView(person, entity))
  return [
    ...readable.map(({ entity, id, version, tab }) => ({ entity, id, version, tab })),
    ...viewable.map((entity) => ({ entity })),
  ]
}

/**
 * How staff with some locations are told of changes: with `narrowed` of those of their locations' records, with `none`
 * of all, with `all` of nothing.
 */
const locationsOf = (entity: LiveEntity) => describeLive(entity).readers[0].locations

/** Returns what of it staff with only these locations are told. */
export async function chooseSeen<T extends Told>(
  locations: readonly string[],
  told: readonly T[],
  listSeen: ListSeen,
): Promise<T[]> {
  const kinds = [...new Set(told.map(({ entity }) => entity))].filter((entity) => locationsOf(entity) === 'narrowed')
  const ids = (of: LiveEntity) => told.flatMap(({ entity, id }) => (entity === of && id !== undefined ? [id] : []))
  const seen = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await listSeen(locations, kind, ids(kind))] as const)),
  )
  return told.filter(({ entity, id, left }) => {
    const treated = locationsOf(entity)
    if (treated !== 'narrowed') return treated === 'none'
    // What was moved away is told once more, so that it leaves the screens that show it.
    return id === undefined || seen.get(entity)?.has(id) || (left !== undefined && locations.includes(left))
  })
}
