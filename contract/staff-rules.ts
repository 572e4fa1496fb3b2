import { nameMissingPages } from './pages.ts'

type Colleague = { firstname: string; lastname: string; auth_page: readonly string[] }

/**
 * Why someone who holds `pages` may not change, block, unblock or delete a colleague. Otherwise page 8 alone would be enough
 * to take over the account of someone with more pages. Undefined when they may (rules §9.1).
 */
export function findColleagueProblem(
  { firstname, lastname, auth_page }: Colleague,
  pages: readonly (number | string)[],
): string | undefined {
  const missing = nameMissingPages(auth_page, pages)
  if (missing === undefined) return undefined
  const name = `${firstname} ${lastname}`.trim()
  return `${name} has access to ${missing}, which you do not hold. Ask someone who holds all of their pages.`
}
