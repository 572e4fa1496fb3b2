import { toCounted } from '#web/lib/format.ts'

const HOURS = [1, 2, 3, 4, 6, 12, 24, 48, 72, 168]

const toText = (hours: number) =>
  `${hours >= 48 && hours % 24 === 0 ? `${hours / 24} days` : toCounted(hours, 'hour', 'hours')} before`

/** Returns when customers can be reminded, with `current` among it, which another client may have set. */
export function toHourOptions(current: number | null = null) {
  const hours = current === null || HOURS.includes(current) ? HOURS : [...HOURS, current]
  return [
    { value: '', label: 'Never' },
    ...hours.toSorted((a, b) => a - b).map((hour) => ({ value: String(hour), label: toText(hour) })),
  ]
}
