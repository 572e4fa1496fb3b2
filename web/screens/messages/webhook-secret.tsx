import { Button } from '#web/ui/button/button.tsx'
import { CopyText } from '#web/ui/copy-text/copy-text.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

/** The secret of a new webhook, which nobody is shown again. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title="Signing secret"
      width={500}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Give this to the receiver, which checks with it that calls are ours. It is shown only now.</p>
      <CopyText label="Signing secret" text={secret} />
    </Dialog>
  )
}
