// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { pages } from '#contract/pages.ts'
import { menu } from '#web/pages.tsx'
import { toIncludedScreens } from './page-access-words.ts'

it('names the other screens of the menu that each page includes', () => {
  for (const { id, path } of pages) {
    const others = menu.filter((entry) => entry.page === id && entry.path !== path).map(({ name }) => name)
    expect(toIncludedScreens(id)).toBe(others.length > 0 ? `With ${others.join(', ')}` : undefined)
  }
})
