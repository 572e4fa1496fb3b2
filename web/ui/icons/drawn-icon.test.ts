import { expect, it } from 'vitest'
import { toPath } from './drawn-icon.tsx'
import * as icons from './icons.tsx'
import { namedIcons } from './named-icons.tsx'

it('draws the strokes of an icon as one path', () => {
  const cross = toPath([
    ['path', { d: 'M18 6l-12 12', key: 'svg-0' }],
    ['path', { d: 'M6 6l12 12', key: 'svg-1' }],
  ])
  expect(cross).toBe('M18 6l-12 12M6 6l12 12')
})

it.each([
  ['an element other than a path', [['circle', { cx: '12', cy: '12', r: '9' }]]],
  ['a stroke that begins where the one before ended', [['path', { d: 'm1 1l2 2' }]]],
  ['a stroke with a colour of its own', [['path', { d: 'M1 1l2 2', fill: 'red' }]]],
] as const)('refuses %s, which one path would draw wrongly', (_, node) => {
  expect(() => toPath(node)).toThrow('more than strokes')
})

it('can draw every icon that is used', () => {
  expect(Object.keys(icons).length).toBeGreaterThan(40)
  expect(Object.keys(namedIcons).length).toBeGreaterThan(40)
})
