import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
/** Returns the values of all colour tokens in one scheme. */
function parseColours(scheme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s*(?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g)].map(
      ([, name, light, dark, both]) => [name, both ?? (scheme === 'light' ? light : dark)],
    ),
  )
}

const light = parseColours('light')
const dark = parseColours('dark')

function toLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [toLuminance(one), toLuminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const grounds = ['color-page', 'color-surface', 'color-raised', 'color-sunken', 'color-hover']
const onEveryGround = (text: string) => grounds.map((ground) => [text, ground] as const)
const texts = [
  ...['color-ink', 'color-soft', 'color-dim', 'color-error', 'color-danger-text'].flatMap((text) =>
    onEveryGround(text),
  ),
  ['color-soft', 'color-pressed'],
  ['color-ink', 'color-brand-soft'],
  ['color-brand-text', 'color-brand-soft'],
  ['color-on-brand', 'color-brand'],
  ['color-on-brand', 'color-brand-hover'],
  ['color-on-danger', 'color-danger'],
  ['color-on-danger', 'color-danger-hover'],
  ['color-danger-text', 'color-danger-soft'],
  ...['green', 'blue', 'orange', 'red', 'grey'].map((hue) => [`chip-${hue}-text`, `chip-${hue}`] as const),
] as const
const marks = [
  ...onEveryGround('color-control'),
  ...onEveryGround('color-focus'),
  ...onEveryGround('color-brand-text'),
  ['color-on', 'color-surface'],
] as const

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s colour scheme', (_, colours) => {
  const contrastOf = (one: string, other: string) => toContrast(colours[one] ?? '', colours[other] ?? '')

  it.each(texts)('makes %s readable on %s (WCAG 1.4.3: contrast 4.5)', (text, ground) => {
    expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(marks)('makes %s visible on %s (WCAG 1.4.11: contrast 3)', (mark, ground) => {
    expect(contrastOf(mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

it('sizes of text come from tokens alone', () => {
  const web = new URL('../', import.meta.url)
  const sizes = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) => {
      const found = readFileSync(new URL(path, web), 'utf8').matchAll(/font(?:-size)?:[^;]*?([\d.]+(?:px|r?em|%))/g)
      return [...found].map(([, size]) => `${path}: ${size}`)
    })
  expect(sizes).toEqual([])
})
