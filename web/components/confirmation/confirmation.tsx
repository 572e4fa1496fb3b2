import { lazy, Suspense } from 'react'
import { useIsConfirmationAsked } from '#web/api/confirmation.ts'

const ConfirmPasswordDialog = lazy(() =>
  import('./confirm-password-dialog.tsx').then((module) => ({ default: module.ConfirmPasswordDialog })),
)

/** Once on each screen from which sensitive requests are sent. */
export function Confirmation({ email = '' }: { email: string | undefined }) {
  if (!useIsConfirmationAsked()) return null
  return (
    <Suspense fallback={null}>
      <ConfirmPasswordDialog email={email} />
    </Suspense>
  )
}
