import { describe, expect, it } from 'vitest'
import { toRuleText } from './rule-words.ts'

describe('toRuleText', () => {
  it.each([
    ['FREQ=WEEKLY;INTERVAL=1;UNTIL=20261229T235959Z', 'every Tuesday'],
    ['FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,WE;UNTIL=20261229T235959Z', 'every Monday and Wednesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,FR', 'every 2 weeks on Monday, Tuesday, and Friday'],
    ['FREQ=WEEKLY;COUNT=1', 'every Tuesday'],
  ])('describes %s', (rule, text) => {
    expect(toRuleText(rule, '2026-12-08')).toBe(text)
  })
})
