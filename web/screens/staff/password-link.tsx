import { useMutation } from '@tanstack/react-query'
import type { Staff } from '#contract/staff.ts'
import { api } from '#web/api/client.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorSummary } from '#web/ui/state-messages/state-messages.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

/** Creates a password link and mails it, or shows it once if no mail can be sent (rules §33.1). */
export function PasswordLink({ staff, onClose }: { staff: Staff; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => api('staff', 'createPasswordLink', { params: { id: staff._id } }),
    onSuccess: ({ data }) => {
      if (data.link !== null) return
      showSuccess(data.message)
      onClose()
    },
  })
  const link = make.data?.data.link
  if (link) {
    return (
      <ShownOnce label="Password link" text={link} onClose={onClose}>
        Give this link to {staff.firstname} alone. It works once, within an hour.
      </ShownOnce>
    )
  }
  return (
    <Dialog
      title="Password link"
      width={500}
      compact
      held={make.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={make.isPending}>
            Cancel
          </Button>
          <Button variant="primary" loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
            Create link
          </Button>
        </>
      }
    >
      {make.error && <ErrorSummary problem={toProblem(make.error)} />}
      <p>
        With a link {staff.firstname} chooses a password that nobody else knows. It is mailed to {staff.email}, or shown
        here once when mails cannot be sent. Until it is used, nothing changes.
      </p>
    </Dialog>
  )
}
