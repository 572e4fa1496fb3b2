import { useState } from 'react'
import { networkError } from '#web/api/api-error.ts'
import { canReload } from '#web/lib/can-reload.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { showFailure } from '#web/ui/toasts/toasts.ts'

/** Shown instead of a screen whose code could not be loaded or that failed to render. */
export function ScreenFailure() {
  const [isRetrying, setRetrying] = useState(false)
  const message =
    'Reload to try again. If it stays, check your internet connection; a new version may also just have been installed.'

  /** A new version has other file names, which only a reloaded page knows. */
  async function reload() {
    setRetrying(true)
    if (await canReload()) return window.location.reload()
    setRetrying(false)
    showFailure(networkError().message)
  }

  return (
    <ErrorState
      title="This screen could not be shown"
      problem={{ message }}
      onRetry={() => void reload()}
      retrying={isRetrying}
    />
  )
}
