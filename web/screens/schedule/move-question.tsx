import { toMoneyText } from '#contract/money.ts'
import { toNotice } from '#web/components/booking/booking-messages.tsx'
import { OutsideHoursDialog } from '#web/components/booking/outside-hours-dialog.tsx'
import { toDifferenceText } from '#web/components/booking/price-words.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { toSpanText } from './schedule-texts.ts'
import { type MoveQuestion as Question, toMovedText } from './use-moves.ts'

/** Asks before a move that changes the price, notifies the customer, or needs a reason (outside opening hours). */
export function MoveQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { move, quote, confirm, save, putBack } = question
  const verb = move.kind === 'resize' ? 'Change' : 'Move'
  const consequence = [toPriceText(quote), quote.notifies && toNotice(quote.notifies.to)].filter(Boolean).join(' ')
  const what = toQuestionText(move)
  const shared = {
    title: `${verb} booking`,
    cancelLabel: 'Put back',
    onClose: () => {
      putBack()
      onClose()
    },
  }
  if (quote.reasons.length > 0) {
    return (
      <OutsideHoursDialog
        {...shared}
        submitLabel={`${verb} anyway`}
        reasons={quote.reasons}
        save={save}
        success={toMovedText(move)}
      >
        {what} {consequence}
      </OutsideHoursDialog>
    )
  }
  return (
    <ConfirmDialog {...shared} confirmLabel={`${verb} booking`} consequence={consequence} onConfirm={confirm}>
      {what}
    </ConfirmDialog>
  )
}

function toQuestionText({ kind, booked, from, row, ...span }: Question['move']): string {
  if (kind === 'resize') {
    return `Change the booking of ${booked.who} in ${row.title}, ${row.date}, so that it runs ${toSpanText(span)}?`
  }
  const isElsewhere = from !== undefined && from.locationName !== row.locationName
  const place = isElsewhere ? `${row.title} at another location, ${row.locationName}` : row.title
  return `Move the booking of ${booked.who} to ${place}, ${row.date}, ${toSpanText(span)}?`
}

function toPriceText({ difference, newPrice, balanceDue }: Question['quote']): string {
  if (difference === 0) return ''
  return `It costs ${toMoneyText(newPrice ?? 0)} then: ${toDifferenceText(difference, balanceDue)}.`
}
