// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { pages } from '#contract/pages.ts'
import { menu } from '#web/pages.tsx'
import { toAccessWords, toIncludedScreens } from './page-access-words.ts'

it('names the other screens of the menu that each page includes', () => {
  for (const { id, path } of pages) {
    const others = menu.filter((entry) => entry.page === id && entry.path !== path).map(({ name }) => name)
    expect(toIncludedScreens(id)).toBe(others.length > 0 ? `With ${others.join(', ')}` : undefined)
  }
})

it('says first at how many locations somebody has access, as a table cuts the end', () => {
  const access = { auth_page: ['1', '3'], viewOnlyPages: ['3'] }
  expect(toAccessWords({ ...access, locations: null }).words).toBe('2 pages, 1 view only')
  expect(toAccessWords({ ...access, locations: ['a', 'b'] })).toEqual({
    words: '2 locations, 2 pages, 1 view only',
    names: '2 locations, Dashboard, Pods (view)',
  })
})
