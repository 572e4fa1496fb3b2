import { ApiError } from '#web/api/api-error.ts'
import { download } from '#web/api/download.ts'
import type { Domain, EndpointName, RequestOptions } from '#web/api/request-types.ts'
import { subscribePerson } from '#web/api/session.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { csvSeparatorChoice } from '#web/lib/browser-choice.ts'
import { toMegabytesText } from '#web/lib/format.ts'
import { showProgress, showSuccess } from '#web/ui/toasts/toasts.ts'

/** Downloads that finish sooner show no progress toast, which would only flash by. */
const QUIET_MS = 300

/**
 * Downloads a file. Toasts show the progress with Cancel, and a failure. Stops when the session ends, so that
 * the next person does not get it. Never throws.
 */
export async function startDownload<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  options: RequestOptions<D, N>,
): Promise<void> {
  const abort = new AbortController()
  const stopFollowing = subscribePerson(() => abort.abort())
  let bytes = 0
  let progress: ReturnType<typeof showProgress> | undefined
  const timer = setTimeout(() => {
    progress = showProgress('Preparing your download', { onCancel: () => abort.abort() })
    progress.update(toAmountText(bytes))
  }, QUIET_MS)
  try {
    const { filename } = await download(domain, name, { ...options, signal: abort.signal }, (received) => {
      bytes = received
      progress?.update(toAmountText(bytes))
    })
    showSuccess(`${filename} is in your downloads`, { note: findHint() })
  } catch (error) {
    if (!abort.signal.aborted) showDownloadFailure(error, () => void startDownload(domain, name, options))
  } finally {
    stopFollowing()
    clearTimeout(timer)
    progress?.close()
  }
}

let isHintShown = false

/** Returns where to change the separator, once until the page is left. */
function findHint(): string | undefined {
  if (isHintShown || csvSeparatorChoice.read() === 'semicolon') return undefined
  isHintShown = true
  return 'If it opens as a single column, choose semicolons under Your account.'
}

function showDownloadFailure(error: unknown, retry: () => void): void {
  const reason = error instanceof ApiError ? error.message : 'Something went wrong.'
  showFailedAction(error, retry, { text: `The download failed. ${reason}` })
}

function toAmountText(bytes: number): string {
  return bytes === 0 ? 'Waiting for the server' : `${toMegabytesText(bytes)} received`
}
