import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'

/** Shown instead of a screen whose code could not be loaded or that failed to render. */
export function ScreenFailure() {
  const message =
    'Reload to try again. If it stays, check your internet connection; a new version may also just have been installed.'
  return (
    <ErrorState
      title="This screen could not be shown"
      problem={{ message }}
      // A new version has other file names, which only a reloaded page knows.
      onRetry={() => window.location.reload()}
    />
  )
}
