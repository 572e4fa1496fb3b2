import { toProblem } from '#web/ui/problem.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'

/**
 * Says in a toast why what somebody has clicked failed, with Retry unless the server would refuse the same again, see
 * rules §15.1. `text` replaces the error's own message. `recordId` is that of the record, where several can fail.
 */
export function showFailedAction(
  error: unknown,
  retry: () => void,
  { text, recordId }: { text?: string | undefined; recordId?: string | undefined } = {},
): void {
  const { message, requestId, isRefusal } = toProblem(error)
  showFailure(text ?? message, { recordId, ...(!isRefusal && { requestId, retry }) })
}
