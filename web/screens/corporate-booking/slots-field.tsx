import { type ReactNode, useId } from 'react'
import type { Selection } from '#contract/slot-selection.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconClock } from '#web/ui/icons/icons.tsx'
import { toRangeText } from './booking-words.ts'
import styles from './corporate-booking.module.css'
import type { Availability } from './use-availability.ts'

type SlotsFieldProps = {
  selection: Selection
  note: string | undefined
  error: ReactNode
  availability: Availability
  onOpen: () => void
}

/** The button that opens the grid of time slots and shows the selection. */
export function SlotsField({ selection, note, error, availability, onOpen }: SlotsFieldProps) {
  const id = useId()
  const range = toRangeText(selection)
  const { problem, isPodGone, loading, reload } = availability
  return (
    <div className={styles.slots}>
      <span id={`${id}-label`} className={styles.label}>
        Time Slots
        <span className={styles.asterisk} aria-hidden>
          {' '}
          *
        </span>
      </span>
      <button
        type="button"
        id={`${id}-button`}
        className={styles.slotButton}
        data-empty={range === undefined || undefined}
        data-error={Boolean(error) || undefined}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-button`}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={onOpen}
      >
        {range ?? 'Select an Available Time Slot'}
        <IconClock size={16} />
      </button>
      <div aria-live="polite">
        {note && <p className={styles.note}>{note}</p>}
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
        {/* The field of the pod says that it is gone. */}
        {problem && !isPodGone && (
          <div className={styles.retry}>
            <p className={styles.error}>The free times could not be loaded. {problem.message}</p>
            <Button size="small" loading={loading} onClick={reload}>
              Retry
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
