import { useRef, useState } from 'react'
import { upload } from '#web/api/client.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { showFailedAction } from '#web/components/failed-action.ts'
import { IconUpload } from '#web/ui/icons/icons.tsx'
import { showProgress, showSuccess } from '#web/ui/toasts/toasts.ts'

/** Imports changes from an archive file (rules §22.6). */
export function ImportArchive({ onDone }: { onDone: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isSending, setSending] = useState(false)

  async function send(file: File) {
    const abort = new AbortController()
    const progress = showProgress('Importing the archive', { onCancel: () => abort.abort() })
    setSending(true)
    try {
      const form = new FormData()
      form.append('file', file)
      const onProgress = (share: number) => progress.update(`${Math.round(share * 100)} % sent`)
      const { data } = await upload('audit', 'import', { form, onProgress, signal: abort.signal })
      showSuccess(data.message)
      onDone()
    } catch (error) {
      if (!abort.signal.aborted) showFailedAction(error, () => void send(file))
    } finally {
      setSending(false)
      progress.close()
    }
  }

  return (
    <>
      <CallButton
        call="audit.import"
        icon={<IconUpload size={16} />}
        loading={isSending}
        onClick={() => input.current?.click()}
      >
        Import
      </CallButton>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Archive of changes"
        accept=".gz"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Reset, so that the same file can be chosen again.
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
    </>
  )
}
