import { describe, expect, it } from 'vitest'
import type { SlotRules } from '#contract/slot-selection.ts'
import { fitSelection } from './slot-fit.ts'

const rules = (booked: string[], passedBefore = '06:00'): SlotRules => ({
  booked: new Set(booked),
  isPassed: (mark) => mark < passedBefore,
})

describe('fitSelection', () => {
  it('keeps marks that are free', () => {
    expect(fitSelection(['09:00', '10:00'], rules([]))).toEqual({ kept: ['09:00', '10:00'], dropped: [] })
  })

  it('drops an end that is now separated from the start by a booking', () => {
    expect(fitSelection(['09:00', '11:00'], rules(['10:00', '10:15']))).toEqual({ kept: ['09:00'], dropped: ['11:00'] })
  })

  it('drops a start that is booked now, and one that has passed', () => {
    expect(fitSelection(['09:00', '10:00'], rules(['09:00']))).toEqual({ kept: ['10:00'], dropped: ['09:00'] })
    expect(fitSelection(['09:00', '10:00'], rules([], '09:30'))).toEqual({ kept: ['10:00'], dropped: ['09:00'] })
  })

  it('keeps an end at which the next booking begins', () => {
    expect(fitSelection(['09:00', '10:00'], rules(['10:00', '10:15']))).toEqual({
      kept: ['09:00', '10:00'],
      dropped: [],
    })
  })

  it('drops everything when nothing fits', () => {
    expect(fitSelection(['09:00', '10:00'], rules(['09:00', '10:00'])).kept).toEqual([])
  })

  it('keeps a selection that is too long, which has an error message of its own', () => {
    expect(fitSelection(['09:00', '13:00'], rules([])).kept).toEqual(['09:00', '13:00'])
  })
})
