import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { chooseOutdated, type KeepRule, type ScheduledBackup } from './choose-outdated.ts'

const RULE = { days: 14, months: 12 }
const from = Date.UTC(2025, 0, 1)

const anyBackups: fc.Arbitrary<ScheduledBackup[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 900 * 24 * 60 }), { maxLength: 120 })
  .chain((minutes) =>
    fc.tuple(
      ...minutes.map((minute) =>
        fc.boolean().map((isChecked) => {
          const wallClock = new Date(from + minute * 60_000)
          return { name: wallClock.toISOString(), wallClock, isChecked }
        }),
      ),
    ),
  )
const anyRule: fc.Arbitrary<KeepRule> = fc.record({
  days: fc.integer({ min: 1, max: 20 }),
  months: fc.integer({ min: 0, max: 14 }),
})

const split = (backups: ScheduledBackup[], rule: KeepRule) => {
  const outdated = new Set(chooseOutdated(backups, rule))
  return {
    kept: backups.filter(({ name }) => !outdated.has(name)),
    deleted: backups.filter(({ name }) => outdated.has(name)),
  }
}
const dayOf = ({ name }: ScheduledBackup) => name.slice(0, 10)
const monthOf = ({ name }: ScheduledBackup) => name.slice(0, 7)

describe('the choice of outdated backups', () => {
  it('never includes the newest good backup, newer ones, or the newest of a recent day or month', () => {
    fc.assert(
      fc.property(anyBackups, anyRule, (backups, rule) => {
        const { deleted } = split(backups, rule)
        const good = backups.filter(({ isChecked }) => isChecked)
        for (const backup of deleted) {
          const newer = good.filter(({ name }) => name > backup.name)
          // Whatever is deleted, there is a newer good backup.
          expect(newer.length).toBeGreaterThan(0)
          if (!backup.isChecked) continue
          const newerDays = new Set(newer.map(dayOf))
          const newerMonths = new Set(newer.map(monthOf))
          expect(newerDays.has(dayOf(backup)) || newerDays.size >= rule.days).toBe(true)
          expect(newerMonths.has(monthOf(backup)) || newerMonths.size >= rule.months).toBe(true)
        }
      }),
    )
  })

  it('leaves no more good backups than days and months, one for each day and each earlier month, and is then empty', () => {
    fc.assert(
      fc.property(anyBackups, anyRule, (backups, rule) => {
        const { kept } = split(backups, rule)
        const good = kept.filter(({ isChecked }) => isChecked)
        expect(good.length).toBeLessThanOrEqual(rule.days + rule.months)
        expect(new Set(good.map(dayOf)).size).toBe(good.length)
        // From the earliest of the last days backwards.
        const months = good
          .map(monthOf)
          .sort()
          .reverse()
          .slice(rule.days - 1)
        expect(new Set(months).size).toBe(months.length)
        expect(chooseOutdated(kept, rule)).toEqual([])
      }),
    )
  })

  it('leaves fourteen days and the last nights of eleven earlier months after two years of nights', () => {
    let backups: ScheduledBackup[] = []
    for (let night = 0; night < 730; night++) {
      const wallClock = new Date(from + night * DAY + 9_000_000)
      backups = split([...backups, { name: wallClock.toISOString(), wallClock, isChecked: true }], RULE).kept
    }
    const days = backups.map(dayOf)
    // 2026-12-31 is the last night: the newest backup of December is also one of the fourteen days, so eleven months
    // remain.
    expect(days.slice(-14)).toEqual(Array.from({ length: 14 }, (_, n) => `2026-12-${n + 18}`))
    expect(days.slice(0, -14)).toEqual(
      Array.from({ length: 11 }, (_, n) => new Date(Date.UTC(2026, n + 1, 0)).toISOString().slice(0, 10)),
    )
  })
})
