import { textScale } from '#web/ui/text-scale.ts'
import type { Booked, Row, RowGroup } from './rows.ts'

/** A line of the grid: the heading of a location, or a row. */
export type Item = { key: string; top: number; height: number; locationName: string } & (
  | { kind: 'location'; group: RowGroup }
  | { kind: 'row'; row: Row }
)

export type RowItem = Extract<Item, { kind: 'row' }>

/** Sizes in px. */
export const NAME_WIDTH = 208 * textScale
export const HEAD_HEIGHT = 36 * textScale
const LOCATION_HEIGHT = 36 * textScale
export const ROW_HEIGHT = 48 * textScale

export function toItems(groups: readonly RowGroup[]): Item[] {
  // The week of one pod needs no heading with its location.
  const isWeek = groups.length === 1 && groups[0]?.rows[1]?.podId === groups[0]?.rows[0]?.podId
  const items: Item[] = []
  let top = 0
  for (const group of groups) {
    const place = { locationName: group.name }
    if (!isWeek) {
      items.push({ ...place, kind: 'location', key: group.key, group, top, height: LOCATION_HEIGHT })
      top += LOCATION_HEIGHT
    }
    for (const row of group.rows) {
      items.push({ ...place, kind: 'row', key: row.key, row, top, height: ROW_HEIGHT })
      top += ROW_HEIGHT
    }
  }
  return items
}

export function findBookedAt(row: Row, minute: number): Booked | undefined {
  return row.bookings.find(({ start, end }) => start <= minute && end > minute)
}
