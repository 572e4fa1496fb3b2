import { describe, expect, it } from 'vitest'
import { listPolicyLines } from './policy-words.ts'

describe('listPolicyLines', () => {
  it.each([
    [
      { brackets: [{ hoursBefore: 2, percent: 100 }], fee: 0 },
      ['Until 2 hours before the start: everything', 'After that: nothing'],
    ],
    [
      {
        brackets: [
          { hoursBefore: 0, percent: 0 },
          { hoursBefore: 1, percent: 50 },
          { hoursBefore: 24, percent: 100 },
        ],
        fee: 20,
      },
      [
        'Until 24 hours before the start: everything, less R\u00A020.00',
        'Until 1 hour before the start: 50\u00A0%, less R\u00A020.00',
        'Until the start: nothing',
        'After that: nothing',
      ],
    ],
    [{ brackets: [], fee: 5 }, ['Nothing is ever given back']],
  ])('describes %j', (policy, lines) => {
    expect(listPolicyLines(policy)).toEqual(lines)
  })
})
