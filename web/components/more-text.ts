import { toCountText } from '#web/lib/format.ts'

/** Returns '50 of 2,000: type to find others' if a list shows only some of the choices; undefined if it shows all. */
export function toMoreText(total: number, listed: number): string | undefined {
  return total > listed ? `${listed} of ${toCountText(total)}: type to find others` : undefined
}
