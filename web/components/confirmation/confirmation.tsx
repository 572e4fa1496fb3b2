import { lazy, Suspense } from 'react'
import { useIsConfirmationAsked } from '#web/api/confirmation.ts'

const ConfirmPasswordDialog = lazy(() =>
  import('./confirm-password-dialog.tsx').then((module) => ({ default: module.ConfirmPasswordDialog })),
)

/** Opens the password dialog when it is asked for. Render it once on each screen that sends sensitive requests. */
export function Confirmation({ email = '' }: { email: string | undefined }) {
  if (!useIsConfirmationAsked()) return null
  return (
    <Suspense fallback={null}>
      <ConfirmPasswordDialog email={email} />
    </Suspense>
  )
}
