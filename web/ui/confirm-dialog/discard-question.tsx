import { useSyncExternalStore } from 'react'
import { answerQuestion, isAsking, subscribeToQuestion } from '../unsaved.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks the question of unsaved.ts; part of UiProvider. */
export function DiscardQuestion() {
  const asks = useSyncExternalStore(subscribeToQuestion, isAsking)
  if (!asks) return null
  return (
    <ConfirmDialog
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      danger
      onConfirm={() => answerQuestion(true)}
      onClose={() => answerQuestion(false)}
    >
      What you typed here has not been saved.
    </ConfirmDialog>
  )
}
