import { toNotice } from '#web/components/booking/booking-messages.tsx'
import { toMoneyText } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { toSpanText } from './schedule-texts.ts'
import type { MoveQuestion as Question } from './use-moves.ts'

/** Asked when a move changes what the customer owes, or is told to them. */
export function MoveQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { move, quote, confirm, putBack } = question
  const consequence = [toPriceText(quote), quote.notifies && toNotice(quote.notifies.to)].filter(Boolean).join(' ')
  return (
    <ConfirmDialog
      title={move.kind === 'resize' ? 'Change booking' : 'Move booking'}
      confirmLabel={move.kind === 'resize' ? 'Change booking' : 'Move booking'}
      cancelLabel="Put back"
      consequence={consequence}
      onConfirm={confirm}
      onClose={() => {
        putBack()
        onClose()
      }}
    >
      {move.kind === 'resize' ? 'Change' : 'Move'} the booking of {move.booked.who} to {move.row.title}, {move.row.date}
      , {toSpanText(move)}?
    </ConfirmDialog>
  )
}

function toPriceText({ difference, newPrice }: Question['quote']): string {
  if (difference === 0) return ''
  const price = `It costs ${toMoneyText(newPrice ?? 0)} then`
  const amount = toMoneyText(Math.abs(difference))
  return difference > 0
    ? `${price}: ${amount} more, which is noted as due.`
    : `${price}: ${amount} less, which is noted as to be given back.`
}
