import { toCountText } from '#web/lib/format.ts'

/** '50 of 2,000: type to find others', over a list of choices that does not hold all; undefined when it does. */
export function toMoreText(total: number, listed: number): string | undefined {
  return total > listed ? `${listed} of ${toCountText(total)}: type to find others` : undefined
}
