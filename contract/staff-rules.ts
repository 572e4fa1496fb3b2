import { toFullName } from './full-name.ts'
import { nameMissingAccess, type PageAccess } from './pages.ts'

/** Why a blocked colleague cannot be viewed as. */
export const BLOCKED_SEES_NOTHING = 'A blocked colleague sees nothing.'

type Colleague = PageAccess & { firstname: string; lastname: string }

/**
 * Returns why someone with the access `held` may not change, block, unblock or delete a colleague, or undefined when
 * they may (rules §9.1). Otherwise page 8 alone would be enough to take over the account of someone with more pages.
 */
export function findColleagueProblem(colleague: Colleague, held: PageAccess): string | undefined {
  const missing = nameMissingAccess(colleague, held)
  if (missing === undefined) return undefined
  return `${toFullName(colleague)} has access to ${missing}, which you do not hold. Ask someone who holds all of their pages.`
}
