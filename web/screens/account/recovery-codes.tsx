import { RecoveryCodeList } from '#web/components/second-factor/recovery-code-list.tsx'
import { useKeepOnScreen } from '#web/lib/keep-on-screen.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  useKeepOnScreen()
  return (
    <Dialog
      title="Recovery codes"
      width={500}
      held
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      }
    >
      <RecoveryCodeList codes={codes} />
    </Dialog>
  )
}
