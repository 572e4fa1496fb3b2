import type { CancelPolicy } from '#contract/cancel-policy.ts'
import { toMoneyText } from '#contract/money.ts'

/** Lists what a cancellation policy gives back: 'Until 2 hours before the start: everything' (rules §27.3). */
export function listPolicyLines({ brackets, fee }: CancelPolicy): string[] {
  const sorted = brackets.toSorted((a, b) => b.hoursBefore - a.hoursBefore)
  const lessFee = fee > 0 ? `, less ${toMoneyText(fee)}` : ''
  const lines = sorted.map(({ hoursBefore, percent }) => {
    const until = hoursBefore === 0 ? 'Until the start' : `Until ${toHoursText(hoursBefore)} before the start`
    return `${until}: ${percent === 0 ? 'nothing' : `${percent === 100 ? 'everything' : `${percent}\u00A0%`}${lessFee}`}`
  })
  return [...lines, sorted.length === 0 ? 'Nothing is ever given back' : 'After that: nothing']
}

export function toPolicyText(policy: CancelPolicy): string {
  return listPolicyLines(policy).join('; ')
}

export function toHoursText(hours: number): string {
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}
