import { type AuditEntity, findEntity, locatedEntities, sharedEntities } from '#contract/audit-entities.ts'
import { toUndoEntity } from '#contract/audit-rules.ts'
import type { Change } from '#contract/audit.ts'
import { mayChange } from '#contract/booking-access.ts'
import { levelOf, PAGE, type PageAccess, type PageCode } from '#contract/pages.ts'
import { isEdit, type Route, routes, toInView } from '#contract/routes.ts'
import type { Domain, EndpointName } from './request-types.ts'
import { getUserId, type Session, useSession } from './session.ts'

/** The name of an endpoint, such as 'pods.create'. */
export type CallName = { [D in Domain]: `${D}.${EndpointName<D> & string}` }[Domain]

/** What the person may do, by the same table that the server checks (rules §34.6). */
export type May = {
  /** Whether they may call an endpoint. Where the service also checks the page of the record, ask `changeRecords`. */
  call(name: CallName): boolean
  /** Whether they may change such records. For a booking, ask `changeBooking` as well. */
  changeRecords(entity: AuditEntity): boolean
  /** Whether they may restore deleted records of this kind. */
  restoreRecords(entity: AuditEntity): boolean
  /** Whether they may undo this change, if it can be undone at all. */
  undo(change: Pick<Change, 'entity' | 'action' | 'before' | 'names'>): boolean
  /** Whether they may change a booking made by these staff members. */
  changeBooking(makers: readonly (string | null | undefined)[]): boolean
  /** Whether the pages they hold of these can be changed by others, but only viewed by them. */
  onlyView(pages: readonly PageCode[]): boolean
  /** Their pages and levels, for comparison with a colleague's. */
  held: PageAccess
}

export function useMay(): May {
  return toMay(useSession())
}

/**
 * Returns the pages that the person holds and can use. All that the screens of Assign Role show belongs to the platform,
 * so they take all locations (rules §37.2).
 */
export function listUsablePages({ pages, locations }: Pick<Session, 'pages' | 'locations'>): readonly PageCode[] {
  return locations === null ? pages : pages.filter((page) => page !== PAGE.staff)
}

const { bookingActions } = routes
const allRoutes = Object.values(routes).flatMap((group: Record<string, Route>) => Object.values(group))
const edits = allRoutes.filter(isEdit)
/** Pages on which something can be changed, and those on which something can be changed with some locations. */
const editedPages = new Set(edits.flatMap((route) => toPages(route) ?? []))
const editedWithin = new Set(edits.flatMap((route) => (route.locations === 'all' ? [] : (toPages(route) ?? []))))

/** The kinds of records that can be changed with some locations; all others belong to the platform (rules §37.2). */
const changedWithin = new Set<AuditEntity>([...locatedEntities, ...sharedEntities, 'closure'])
const located = new Set<AuditEntity>(locatedEntities)

function toPages({ access }: Route): readonly PageCode[] | undefined {
  return typeof access === 'string' ? undefined : access
}

/**
 * Returns whether what the change came from is at a location of the person: only there has the server given names to
 * its pod and location.
 */
function staysWithin({ before, names }: Pick<Change, 'before' | 'names'>): boolean {
  return [before?.['location_id'], before?.['pod_id']].every((id) => typeof id !== 'string' || id in names)
}

export function toMay(
  session: Pick<Session, 'pages' | 'viewOnlyPages' | 'locations' | 'userData' | 'viewAs'> | undefined,
): May {
  const held: PageAccess = { auth_page: session?.pages ?? [], viewOnlyPages: session?.viewOnlyPages ?? [] }
  const isView = session?.viewAs !== undefined && session.viewAs !== null
  const hasAll = !session?.locations
  const holdsEdit = (page: PageCode) => levelOf(page, held) === 'edit'
  // While viewing as a colleague nothing can be changed, whatever the colleague may do (rules §34.11).
  const mayEdit = (page: PageCode) => !isView && holdsEdit(page)
  const mayView = (page: PageCode) => levelOf(page, held) !== 'none'
  const changeRecords = (entity: AuditEntity) => {
    const page = findEntity(entity)?.page
    return page !== undefined && mayEdit(page) && (hasAll || changedWithin.has(entity))
  }
  // Without page 6, they see the history of no other bookings than those that they made.
  const hasOnlyOwnBookings = !mayView(PAGE.bookings) && mayEdit(PAGE.corporateBooking)
  return {
    call: (name) => {
      const [domain = '', endpoint = ''] = name.split('.')
      // CallName is built from the names of these routes.
      const route = (routes as Record<string, Record<string, Route>>)[domain]?.[endpoint] as Route
      if (isView && toInView(route) === 'refused') return false
      if (!hasAll && route.locations === 'all') return false
      return toPages(route)?.some(isEdit(route) ? mayEdit : mayView) ?? true
    },
    changeRecords,
    restoreRecords: (entity) => changeRecords(entity) && (hasAll || located.has(entity)),
    undo: (change) =>
      (changeRecords(toUndoEntity(change)) || (change.entity === 'booking' && hasOnlyOwnBookings)) &&
      (hasAll || ((located.has(change.entity) || change.action === 'edit') && staysWithin(change))),
    changeBooking: (makers) =>
      bookingActions.move.access.some(mayEdit) &&
      mayChange(
        makers.map((maker) => maker ?? null),
        getUserId(session),
        (session?.pages ?? []).filter(mayEdit),
      ),
    onlyView: (pages) => {
      const viewed = pages.filter(mayView)
      const isChangedHere = (page: PageCode) => holdsEdit(page) && (hasAll || editedWithin.has(page))
      return viewed.some((page) => editedPages.has(page)) && !viewed.some(isChangedHere)
    },
    held,
  }
}
