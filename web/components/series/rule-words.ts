import { toWeekday, weekdayCodes, weekdayNames } from '#contract/opening-hours.ts'

const list = new Intl.ListFormat('en')

/** Describes a repeating rule (RFC 5545): 'every Tuesday', 'every 2 weeks on Monday and Friday'. */
export function toRuleText(rule: string, firstDate: string): string {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string])) // each is NAME=value
  const weeks = Number(parts.get('INTERVAL') ?? 1)
  const codes = (parts.get('BYDAY') ?? '').split(',')
  const days = codes.flatMap((code) => weekdayNames[weekdayCodes.findIndex((known) => known === code)] ?? [])
  const ofFirst = weekdayNames[toWeekday(firstDate) - 1] ?? ''
  const names = list.format(days.length > 0 ? days : [ofFirst])
  return weeks === 1 ? `every ${names}` : `every ${weeks} weeks on ${names}`
}
