import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'

/** In place of a screen whose code could not be loaded or that broke while it was drawn. */
export function ScreenFailure() {
  const message =
    'Reload to try again. If it stays, check your internet connection; a new version may also just have been installed.'
  return (
    <ErrorState
      title="This screen could not be shown"
      problem={{ message }}
      // A new version has other files: only a new page knows their names.
      onRetry={() => window.location.reload()}
    />
  )
}
