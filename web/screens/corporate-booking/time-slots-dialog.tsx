import { useEffect, useRef, useState } from 'react'
import {
  findLiveError,
  type MarkState,
  markStates,
  type Selection,
  type SlotRules,
  toggleMark,
} from '#contract/slot-selection.ts'
import { toClockLabel } from '#contract/slots.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import { ToggleGrid } from '#web/ui/toggle-grid/toggle-grid.tsx'
import { toBookedMinutes, toDurationText, toRangeText } from './booking-words.ts'
import { SlotLegend } from './slot-legend.tsx'
import { SlotSkeleton } from './slot-skeleton.tsx'
import styles from './time-slots-dialog.module.css'
import type { Availability } from './use-availability.ts'

type TimeSlotsDialogProps = {
  selection: Selection
  availability: Availability
  /** What must be chosen first, or what a change has cleared. */
  note: string | undefined
  /** The switch for slots outside opening hours; undefined when there are none, or the person may not book them. */
  hours: { isIgnored: boolean; onChange: (isIgnored: boolean) => void } | undefined
  onChange: (selection: Selection) => void
  onClose: () => void
}

/** Texts for the screen reader and the tooltip of marks that are neither free nor chosen. */
const reasons: Partial<Record<MarkState, string>> = {
  booked: 'booked',
  passed: 'passed',
  'end-only': 'end only',
  between: 'part of the booking',
}

/** Chooses the start and the end from the day's marks, 06:00 to 24:00 (rules §4.5). */
export function TimeSlotsDialog({ selection, availability, note, hours, onChange, onClose }: TimeSlotsDialogProps) {
  const { rules, problem, loading, reload } = availability
  // A refused click leaves the selection unchanged; its reason is shown until the next click.
  const [refusal, setRefusal] = useState<string>()
  const error = rules && findLiveError(selection, rules)
  const grid = useRef<HTMLDivElement>(null)
  const isShown = rules !== undefined

  // Opens at what is chosen or can be chosen first: late in the day, the marks before it fill the dialog.
  useEffect(() => {
    if (isShown) grid.current?.querySelector('[tabindex="0"]')?.scrollIntoView({ block: 'center' })
  }, [isShown])

  function toggle(mark: string) {
    if (!rules) return
    const next = toggleMark(selection, mark, rules)
    setRefusal(next.selection === selection ? next.error : undefined)
    onChange(next.selection)
  }

  return (
    <Dialog
      title="Select Time Slots"
      width={500}
      onClose={onClose}
      footer={
        <div className={styles.footer}>
          <output className={styles.chosen}>{toChosenText(selection)}</output>
          {selection.length > 0 && <Button onClick={() => onChange([])}>Clear</Button>}
          <Button variant="primary" disabled={error !== undefined} onClick={onClose}>
            Done
          </Button>
        </div>
      }
    >
      {rules === undefined ? (
        problem ? (
          <ErrorState
            title="The free times could not be loaded"
            problem={problem}
            onRetry={reload}
            retrying={loading}
          />
        ) : (
          <SlotSkeleton />
        )
      ) : (
        <>
          <SlotLegend />
          {hours && (
            <SwitchField label="Outside opening hours too" checked={hours.isIgnored} onChange={hours.onChange} />
          )}
          <div className={styles.messages} aria-live="polite">
            {note && <p className={styles.note}>{note}</p>}
            {(error ?? refusal) && <p className={styles.error}>{error ?? refusal}</p>}
          </div>
          <div ref={grid}>
            <ToggleGrid
              label="Time slots"
              items={markStates(selection, rules).map(({ mark, state }) => toItem(mark, state, rules))}
              onToggle={toggle}
            />
          </div>
        </>
      )}
    </Dialog>
  )
}

function toItem(mark: string, state: MarkState, rules: SlotRules) {
  // The rest of it may have names and times.
  const inSentence = rules.reasons?.[mark]?.replace(/^./, (letter) => letter.toLowerCase())
  const reason = (state === 'booked' && inSentence) || reasons[state]
  return {
    value: mark,
    label: toClockLabel(mark),
    pressed: state === 'chosen',
    inRange: state === 'between',
    disabled: state === 'booked' || state === 'passed',
    ...(reason === undefined ? {} : { reason }),
  }
}

function toChosenText(selection: Selection): string {
  if (selection.length === 0) return 'Choose a start and an end'
  if (selection.length === 1) return `From ${toRangeText(selection) ?? ''}. Choose an end`
  return `${toRangeText(selection) ?? ''}, ${toDurationText(toBookedMinutes(selection))}`
}
