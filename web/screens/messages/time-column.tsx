import { toBusinessTime } from '#web/lib/business-day.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'

/** Returns a sortable column with the business date and time of an instant. */
export function timeColumn<Row>(key: string, header: string, toInstant: (row: Row) => string): Column<Row> {
  return {
    key,
    header,
    width: 112,
    sortable: true,
    render: (row) => {
      const { date, time } = toBusinessTime(toInstant(row))
      return <TwoLines first={date} second={time} />
    },
  }
}
