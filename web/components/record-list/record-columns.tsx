import type { BookingListItem } from '#contract/bookings.ts'
import { toMoneyText } from '#contract/money.ts'
import type { Transaction } from '#contract/transactions.ts'
import { toTransactionTone } from '#web/components/status-tones.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip, type Tone } from '#web/ui/status-chip/status-chip.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'

/** Returns the column with a record's id, which can be copied. */
export function idColumn(header: string, width = 112): Column<{ _id: string }> {
  return { key: 'id', header, width, render: ({ _id }) => <CopyId id={_id} />, hideOnPhone: true }
}

/** Makes the status column say 'Deleted', for a list of deleted records, which are neither active nor inactive. */
export function toDeletedColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const render = () => <StatusChip tone="grey">Deleted</StatusChip>
  return columns.map((column) => (column.key === 'status' ? Object.assign({}, column, { render }) : column))
}

type StatusColumn<Row> = {
  width?: number
  tone: (row: Row) => Tone
  words: (row: Row) => string
}

/** Returns the column with a record's status as a chip. */
export function statusColumn<Row>({ width = 116, tone, words }: StatusColumn<Row>): Column<Row> {
  return {
    key: 'status',
    header: 'Status',
    width,
    render: (row) => <StatusChip tone={tone(row)}>{words(row)}</StatusChip>,
    phone: 'aside',
  }
}

/** Returns the column with a payment's status, and below it when the payment itself was paid back. */
export function paymentStatusColumn(width: number): Column<Pick<Transaction, 'status' | 'refundedAt'>> {
  return {
    key: 'status',
    header: 'Status',
    width,
    phone: 'aside',
    render: ({ status, refundedAt }) => {
      const chip = <StatusChip tone={toTransactionTone(status)}>{status}</StatusChip>
      return refundedAt === null ? chip : <TwoLines first={chip} second={`on ${toBusinessTime(refundedAt).date}`} />
    },
  }
}

/**
 * Returns the column with a booking's status, and below it what else there is to see to: what is due or to be given back,
 * and that nobody came, as a no-show has the status of any booking that is over.
 */
export function bookingStatusColumn(
  toTone: (status: string) => Tone,
): Column<Pick<BookingListItem, 'status' | 'noShowAt' | 'balanceDue'>> {
  return {
    key: 'status',
    header: 'Status',
    width: 118,
    render: (booking) => {
      const chip = <StatusChip tone={toTone(booking.status)}>{booking.status}</StatusChip>
      const more = listMore(booking)
      return more.length === 0 ? chip : <TwoLines first={chip} second={more.join(', ')} />
    },
    text: (booking) => [booking.status, ...listMore(booking)].join(', '),
    phone: 'aside',
  }
}

function listMore({ noShowAt, balanceDue }: Pick<BookingListItem, 'noShowAt' | 'balanceDue'>): string[] {
  const noShow = noShowAt === null ? [] : ['No-show']
  if (balanceDue === 0) return noShow
  return [...noShow, balanceDue > 0 ? `${toMoneyText(balanceDue)} due` : `${toMoneyText(-balanceDue)} back`]
}

/** Returns the column for `isBlocked`; the word for active records differs between screens (rules §5.8, §7.4). */
export function blockedColumn(active: 'Active' | 'active', width = 116): Column<{ isBlocked: boolean }> {
  return statusColumn({
    width,
    tone: ({ isBlocked }) => (isBlocked ? 'red' : 'green'),
    words: ({ isBlocked }) => (isBlocked ? 'Inactive' : active),
  })
}

/** Returns a sortable column with the business date and time of an instant. */
export function timeColumn<Row>(key: string, header: string, toInstant: (row: Row) => string) {
  return {
    key,
    header,
    width: 112,
    sortable: true,
    render: (row: Row) => {
      const { date, time } = toBusinessTime(toInstant(row))
      return <TwoLines first={date} second={time} bothWrap />
    },
  }
}
