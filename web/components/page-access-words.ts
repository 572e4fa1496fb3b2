import { type PageAccess, type PageCode, type PageLevels, pages, toPageLevels } from '#contract/pages.ts'
import { toCounted } from '#web/lib/format.ts'
import { includedScreens } from '#web/paths.ts'

/** Returns ‘With Schedule, Arrivals’ for a page that includes other screens of the menu. */
export function toIncludedScreens(page: PageCode): string | undefined {
  const included = Object.values(includedScreens).filter((screen) => screen.page === page)
  return included.length > 0 ? `With ${included.map(({ name }) => name).join(', ')}` : undefined
}

/** Returns the pages held, in the menu's order: 'Dashboard, Pods (view)'. */
export function listLevels(levels: PageLevels): string {
  const held = pages.filter(({ id }) => levels[id])
  return held.map(({ id, name }) => (levels[id] === 'view' ? `${name} (view)` : name)).join(', ')
}

export function toLocationWords(locations: readonly string[] | null): string {
  return locations === null ? 'All locations' : toCounted(locations.length, 'location', 'locations')
}

/** Summarises what someone may open; `names` lists the pages, to be shown on hover. */
export function toAccessWords(access: PageAccess & { locations?: readonly string[] | null | undefined }): {
  words: string
  names: string
} {
  const levels = toPageLevels(access)
  const [held, views] = [Object.keys(levels).length, Object.values(levels).filter((level) => level === 'view').length]
  const count = held === 0 ? 'No pages' : held === pages.length ? 'All pages' : toCounted(held, 'page', 'pages')
  const viewed = views === 0 ? '' : views === held ? ', view only' : `, ${views} view only`
  if (!access.locations) return { words: `${count}${viewed}`, names: listLevels(levels) }
  // First, as a table cuts the end.
  const where = toLocationWords(access.locations)
  return {
    words: `${where}, ${count.toLowerCase()}${viewed}`,
    names: [where, listLevels(levels)].filter(Boolean).join(', '),
  }
}
