import { type AuditEntity, auditEntities } from '#contract/audit-entities.ts'
import { mayChange } from '#contract/booking-access.ts'
import { levelOf, type PageAccess, type PageCode } from '#contract/pages.ts'
import { isEdit, type Route, routes, toInView } from '#contract/routes.ts'
import type { Domain, EndpointName } from './request-types.ts'
import { getUserId, type Session, useSession } from './session.ts'

/** 'pods.create' */
export type CallName = { [D in Domain]: `${D}.${EndpointName<D> & string}` }[Domain]

/** What the person may do, by the same table that the server asks (rules §34.3). */
export type May = {
  /** Whether they may call an endpoint; where its service asks for the page of a record, `changeRecords` answers. */
  call(name: CallName): boolean
  /** Whether they may change, restore and take back changes of such a record; of bookings `changeBooking` knows more. */
  changeRecords(entity: AuditEntity): boolean
  /** Whether they may change a booking that these have made. */
  changeBooking(makers: readonly (string | null | undefined)[]): boolean
  /** Whether they may only look at what these pages, or those of them that they hold, show, and others may change it. */
  onlyView(pages: readonly PageCode[]): boolean
  /** What they hold, to be compared with what a colleague holds. */
  held: PageAccess
}

export function useMay(): May {
  return toMay(useSession())
}

const { bookingActions } = routes
const allRoutes = Object.values(routes).flatMap((group: Record<string, Route>) => Object.values(group))
/** Pages with something to change. */
const editedPages = new Set(allRoutes.flatMap((route) => (isEdit(route) && toPages(route)) || []))

function toPages({ access }: Route): readonly PageCode[] | undefined {
  return typeof access === 'string' ? undefined : access
}

export function toMay(session: Pick<Session, 'pages' | 'viewOnlyPages' | 'userData' | 'viewAs'> | undefined): May {
  const held: PageAccess = { auth_page: session?.pages ?? [], viewOnlyPages: session?.viewOnlyPages ?? [] }
  const isView = session?.viewAs !== undefined && session.viewAs !== null
  const holdsEdit = (page: PageCode) => levelOf(page, held) === 'edit'
  // Who sees what a colleague sees changes nothing, whatever the colleague may (rules §34.11).
  const mayEdit = (page: PageCode) => !isView && holdsEdit(page)
  const mayView = (page: PageCode) => levelOf(page, held) !== 'none'
  return {
    call: (name) => {
      const [domain = '', endpoint = ''] = name.split('.')
      // Made of the names of these very routes.
      const route = (routes as Record<string, Record<string, Route>>)[domain]?.[endpoint] as Route
      if (isView && toInView(route) === 'refused') return false
      return toPages(route)?.some(isEdit(route) ? mayEdit : mayView) ?? true
    },
    changeRecords: (entity) => auditEntities[entity].some(mayEdit),
    changeBooking: (makers) =>
      bookingActions.move.access.some(mayEdit) &&
      mayChange(
        makers.map((maker) => maker ?? null),
        getUserId(session),
        (session?.pages ?? []).filter(mayEdit),
      ),
    onlyView: (pages) => {
      const viewed = pages.filter(mayView)
      return viewed.some((page) => editedPages.has(page)) && !viewed.some(holdsEdit)
    },
    held,
  }
}
