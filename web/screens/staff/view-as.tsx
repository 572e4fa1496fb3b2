import type { Staff } from '#contract/staff.ts'
import { startViewAs } from '#web/api/view-as.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { HOME_PATH } from '#web/paths.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { IconEye } from '#web/ui/icons/icons.tsx'

/** Explains viewing as a colleague before it begins (rules §34.9). */
export function ViewAs({ staff, onClose }: { staff: Staff; onClose: () => void }) {
  const goTo = useGoTo()
  const name = staff.firstname || staff.lastname
  return (
    <ConfirmDialog
      title={`View as ${name}`}
      consequence={`For 30 minutes at most you see the pages, levels and locations of ${name}, in every tab of this browser, and nothing can be changed. The history says that you looked.`}
      confirmLabel="View"
      icon={<IconEye size={16} />}
      onConfirm={async () => {
        await startViewAs(staff._id)
        goTo(HOME_PATH)
      }}
      onClose={onClose}
    >
      Do you want to see the portal as {name} sees it?
    </ConfirmDialog>
  )
}
