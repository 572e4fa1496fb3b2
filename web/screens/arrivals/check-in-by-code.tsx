import { type SubmitEvent, useState } from 'react'
import { api } from '#web/api/client.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { useShowBooking } from '#web/components/booking/use-booking-action.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { showChanged } from '#web/components/undo.ts'
import { CONNECTION_LOST } from '#web/components/use-form-dialog.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CodeScanner } from '#web/ui/code-scanner/code-scanner.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './arrivals.module.css'

/** Checks in customers by their codes. The dialog stays open for the next code. */
export function CheckInByCode({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [result, setResult] = useState<{ text: string; isFailure: boolean }>()
  const [isTouched] = useState(() => window.matchMedia('(pointer: coarse)').matches)
  const isRetrying = useIsRetrying()
  const show = useShowBooking()
  const isShown = useIsShown()

  async function checkIn(text: string) {
    if (pending || text.trim() === '') return
    setPending(true)
    setResult(undefined)
    try {
      const response = await api('bookingActions', 'checkInByCode', { body: { code: text } })
      const { _id, username, company, podTitle } = response.data
      const said = `${company?.name ?? username} is checked in to ${podTitle}`
      showChanged(said, { ...response, recordId: _id })
      setResult({ text: said, isFailure: false })
      setCode('')
      await show(response)
    } catch (error) {
      const { message } = toProblem(error)
      if (isShown.current) setResult({ text: message, isFailure: true })
      // Closed while it was being sent: a failure must not go unnoticed.
      else showFailedAction(error, () => void checkIn(text), { text: `Check-in by code: ${message}` })
    } finally {
      setPending(false)
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    void checkIn(code)
  }

  return (
    <Dialog title="Check in by code" width={400} titleFirst={isTouched} onClose={onClose}>
      <div className={styles.scan}>
        <CodeScanner hint="Hold the customer’s code before the camera." onCode={checkIn} />
        <output className={styles.result} data-failure={!pending || undefined}>
          {pending ? (isRetrying ? CONNECTION_LOST : 'Checking in…') : result?.isFailure && result.text}
        </output>
        {/* Not announced here: the toast is. */}
        {result && !result.isFailure && <p className={styles.result}>{result.text}</p>}
        <form className={styles.typed} onSubmit={submit} noValidate>
          <TextField
            label="Or type the code"
            hint="At least six characters of the end of the booking’s id"
            spellCheck={false}
            autoComplete="off"
            value={code}
            onChange={setCode}
          />
          <Button type="submit" loading={pending} disabled={code.trim() === ''}>
            Check in
          </Button>
        </form>
      </div>
    </Dialog>
  )
}
