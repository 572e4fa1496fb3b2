import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSlug } from './slug.ts'

describe('toSlug', () => {
  it.each([
    ['The Crow’s Nest', 'the-crows-nest'],
    ['  Pod -- 12!  ', 'pod-12'],
    ['Café Zoë №5', 'cafe-zoe-no5'],
    ['Straße Æsir Łódź', 'strasse-aesir-lodz'],
    ['İstanbul', 'istanbul'],
    ['会議室', 'pod'],
    ['غرفة 7', '7'],
    ['🏠🏠', 'pod'],
    ['---', 'pod'],
  ])('turns %j into %j', (title, slug) => {
    expect(toSlug(title)).toBe(slug)
  })

  it('returns at most 80 letters, digits and hyphens for any title', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        expect(toSlug(title)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(toSlug(title).length).toBeLessThanOrEqual(80)
      }),
    )
  })
})
