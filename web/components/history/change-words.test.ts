// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { AuditAction, Change } from '#contract/audit.ts'
import { toChangeText } from './change-words.ts'

it('says of a change that this version does not know only that it was made', () => {
  const change = { action: 'teleport' as AuditAction, entity: 'booking', before: null, after: null } as Change
  expect(toChangeText(change)).toBe('made a change')
})
