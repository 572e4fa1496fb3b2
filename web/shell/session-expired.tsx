import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endSession } from '#web/api/session.ts'
import { LOGIN_PATH } from '#web/paths.ts'
import { Button, LinkButton } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

/** Keeps an expired session's screen, and what was typed there, until the person has signed in again in another tab. */
export function SessionExpired() {
  const queryClient = useQueryClient()
  // What the screen asked for meanwhile was refused.
  useEffect(() => () => void queryClient.invalidateQueries(), [queryClient])
  return (
    <Dialog
      title="Your session has ended"
      role="alertdialog"
      compact
      held
      onClose={() => undefined}
      footer={
        <>
          <Button onClick={() => endSession('expired')}>Discard</Button>
          <LinkButton variant="primary" href={LOGIN_PATH} target="_blank" data-autofocus>
            Log in again
          </LinkButton>
        </>
      }
    >
      <p>What you entered here is kept. Log in again, which opens a new tab, then come back to this one and save.</p>
    </Dialog>
  )
}
