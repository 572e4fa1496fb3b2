import type { AuditEntity } from '#contract/audit-entities.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { ApiResponse, Undo } from '#web/api/request-types.ts'
import { toObstacleText } from '#web/components/booking/obstacle-words.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

export type More = Pick<NonNullable<Parameters<typeof showSuccess>[1]>, 'note' | 'link'>

/** Says that a change has worked and, where it can be taken back, offers to undo it (rules §25.1). */
export function showChanged(
  text: string,
  { undo, recordId }: Pick<ApiResponse<unknown>, 'undo' | 'recordId'>,
  more: More = {},
): void {
  showSuccess(text, { ...more, recordId, undo: undo && (() => void undoChange(undo, recordId)) })
}

/** Undoes a change of the record and says so, or why it cannot be undone. */
export function undoChange({ id, scope }: Undo, recordId: string | undefined): Promise<void> {
  const undo = async () => (await api('audit', 'undo', { params: { id }, query: { scope } })).data.message
  return bringBack(recordId, undo, scope === 'request')
}

/** Restores a deleted record, with everything that belonged to it. */
export function restoreRecord(entity: AuditEntity, id: string, name: string): Promise<void> {
  return bringBack(id, async () => {
    await api('audit', 'restore', { params: { id }, body: { entity } })
    return `${name} is restored`
  })
}

/** Runs an undo or a restore, reports the result in a toast, and then reloads everything on the screen. */
async function bringBack(recordId: string | undefined, run: () => Promise<string>, isOfSeveral = false): Promise<void> {
  try {
    showSuccess(await run(), { recordId })
  } catch (error) {
    // Of several, the server's message says which.
    const taken = !isOfSeveral && error instanceof ApiError && error.reasons.find(({ code }) => code === 'slot_taken')
    const reason = taken
      ? toObstacleText({ ...taken, message: 'This time has been booked by somebody else meanwhile.' })
      : undefined
    showFailedAction(error, () => void bringBack(recordId, run, isOfSeveral), { text: reason, recordId })
  }
  await queryClient.invalidateQueries()
}
