import { answerConfirmation, useIsConfirmationAsked } from '#web/api/confirmation.ts'
import { FailedDialog, lazyPart } from '#web/ui/lazy-part/lazy-part.tsx'

const refuse = () => answerConfirmation(false)

const ConfirmPasswordDialog = lazyPart<{ email: string }>(
  async () => (await import('./confirm-password-dialog.tsx')).ConfirmPasswordDialog,
  () => <FailedDialog onClose={refuse} />,
)

/** Opens the password dialog when it is asked for. Render it once on each screen that sends sensitive requests. */
export function Confirmation({ email = '' }: { email: string | undefined }) {
  return useIsConfirmationAsked() && <ConfirmPasswordDialog email={email} />
}
