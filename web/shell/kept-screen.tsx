import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endSession, type Kept, setMustSetUp } from '#web/api/session.ts'
import { useHasSecondFactor } from '#web/components/second-factor/use-has-second-factor.ts'
import { LOGIN_PATH, SET_UP_PATH } from '#web/paths.ts'
import { Button, LinkButton } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

const words = {
  expired: {
    title: 'Your session has ended',
    step: 'Log in again',
    path: LOGIN_PATH,
    discard: () => endSession('expired'),
  },
  'second-factor': {
    title: 'Everyone needs a second factor now',
    step: 'Set one up',
    path: SET_UP_PATH,
    discard: () => setMustSetUp('second-factor'),
  },
}

/** Keeps the screen of a refused session, and what was typed there, until the person has done `step` in another tab. */
export function KeptScreen({ why }: { why: Kept }) {
  const { title, step, path, discard } = words[why]
  const queryClient = useQueryClient()
  // Signing in again is noticed by its new token.
  const isOver = useHasSecondFactor({ enabled: why === 'second-factor' })
  useEffect(() => {
    if (isOver) setMustSetUp(undefined)
  }, [isOver])
  // What the screen asked for meanwhile was refused.
  useEffect(() => () => void queryClient.invalidateQueries(), [queryClient])
  return (
    <Dialog
      title={title}
      role="alertdialog"
      compact
      held
      onClose={() => undefined}
      footer={
        <>
          <Button onClick={discard}>Discard</Button>
          <LinkButton variant="primary" href={path} target="_blank" data-autofocus>
            {step}
          </LinkButton>
        </>
      }
    >
      <p>What you entered here is kept. {step}, which opens a new tab, then come back to this one and save.</p>
    </Dialog>
  )
}
