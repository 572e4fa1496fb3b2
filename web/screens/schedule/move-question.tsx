import { toMoneyText } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { toSpanText } from './schedule-texts.ts'
import type { MoveQuestion as Question } from './use-moves.ts'

/** Asked when a move changes what the customer owes. */
export function MoveQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { move, quote, confirm, putBack } = question
  const { difference, newPrice } = quote
  const amount = toMoneyText(Math.abs(difference))
  return (
    <ConfirmDialog
      title={move.kind === 'resize' ? 'Change booking' : 'Move booking'}
      confirmLabel={move.kind === 'resize' ? 'Change booking' : 'Move booking'}
      cancelLabel="Put back"
      consequence={
        difference > 0
          ? `It costs ${toMoneyText(newPrice ?? 0)} then: ${amount} more, which is noted as due.`
          : `It costs ${toMoneyText(newPrice ?? 0)} then: ${amount} less, which is noted as to be given back.`
      }
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
