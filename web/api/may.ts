import { type AuditEntity, auditEntities } from '#contract/audit-entities.ts'
import { levelOf, type PageAccess, type PageCode } from '#contract/pages.ts'
import { isEdit, type Route, routes } from '#contract/routes.ts'
import type { Domain, EndpointName } from './request-types.ts'
import { type Session, useSession } from './session.ts'

/** What the person may do, by the same table that the server asks (rules §34.3). */
export type May = {
  /** Whether they may call an endpoint; where its service asks for the page of a record, `edit` answers. */
  call<D extends Domain>(domain: D, name: EndpointName<D>): boolean
  /** Whether they may change what a page shows. */
  change(page: PageCode): boolean
  /** Whether they may take changes of such a record back, and restore it. */
  restore(entity: AuditEntity): boolean
  /** What they hold, to be compared with what a colleague holds. */
  held: PageAccess
  /** The pages that they may change. */
  changeable: readonly PageCode[]
}

export function useMay(): May {
  return toMay(useSession())
}

function toMay(session: Pick<Session, 'pages' | 'viewOnlyPages'> | undefined): May {
  const held: PageAccess = { auth_page: session?.pages ?? [], viewOnlyPages: session?.viewOnlyPages ?? [] }
  const change = (page: PageCode) => levelOf(page, held) === 'edit'
  return {
    call: (domain, name) => {
      // Endpoints are made of these very routes, so each of their names is here.
      const route = (routes[domain] as Record<string, Route>)[name] as Route
      if (typeof route.access === 'string') return true
      return route.access.some(isEdit(route) ? change : (page) => levelOf(page, held) !== 'none')
    },
    change,
    restore: (entity) => auditEntities[entity].some(change),
    held,
    changeable: (session?.pages ?? []).filter(change),
  }
}
