import type { Staff } from '#contract/staff.ts'
import { api } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import { orReload } from '#web/components/record-conflict.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { IconShieldLock } from '#web/ui/icons/icons.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

/** Resets the second factor of a colleague who has lost their phone and recovery codes (rules §33.9). */
export function ResetSecondFactor({ staff, onClose }: { staff: Staff; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Reset second factor"
      consequence={`${staff.firstname} is signed out everywhere, loses their passkeys, is told so by mail, and signs in with the password alone until they set up another. Make sure that it is really they who ask.`}
      confirmLabel="Reset"
      danger
      icon={<IconShieldLock size={16} />}
      onConfirm={async () => {
        const reload = () => queryClient.invalidateQueries({ queryKey: ['staff'] })
        const { data } = await orReload(api('staff', 'resetSecondFactor', { params: { id: staff._id } }), reload)
        showSuccess(data.message)
        await reload()
      }}
      onClose={onClose}
    >
      Has {staff.firstname} lost their phone or passkeys, and their recovery codes too?
    </ConfirmDialog>
  )
}
