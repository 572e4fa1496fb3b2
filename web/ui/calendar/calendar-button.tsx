import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconAction } from '../button/button.tsx'
import { IconCalendar } from '../icons/icons.tsx'
import { Skeleton } from '../skeleton/skeleton.tsx'
import styles from './calendar-button.module.css'
import type * as CalendarModule from './calendar.tsx'

/** A choice above the days, such as 'Tomorrow'. Both days are inclusive. */
export type DayChoice = { label: string; from: string; to: string }

type CalendarButtonProps = {
  label: string
  /** What the day is for, said after the button's label: several fields on a screen may have a calendar. */
  of?: string
  /** The current choice: 'YYYY-MM-DD', or '' for none. */
  from: string
  to: string
  /** Chooses a range of days rather than one day. */
  isRange?: boolean
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean | undefined
  /** Called each time the calendar opens, as a page may stay open past midnight. Returns 'YYYY-MM-DD'. */
  getToday: () => string
  toChoices: (today: string) => readonly DayChoice[]
  onChoose: (from: string, to: string) => void
}

type Calendar = typeof CalendarModule.Calendar
let loadedCalendar: Promise<Calendar> | undefined

function loadCalendar(): Promise<Calendar> {
  loadedCalendar ??= import('./calendar.tsx').then(
    (module) => module.Calendar,
    (error: unknown) => {
      // The next attempt loads it again.
      loadedCalendar = undefined
      throw error
    },
  )
  return loadedCalendar
}

const EDGE = 8
const GAP = 4

/** A button that opens a calendar in a popover. The calendar's code is loaded on the first hover or focus. */
export function CalendarButton(props: CalendarButtonProps) {
  const { label, of, disabled = false } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const preload = () => void loadCalendar().catch(() => undefined)
  const close = () => box.current?.hidePopover()
  return (
    <>
      <IconAction
        ref={button}
        label={of === undefined ? label : `${label}, ${of}`}
        labelAsText
        tooltip={label}
        icon={<IconCalendar size={16} />}
        size="small"
        disabled={disabled}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
      />
      <div
        ref={box}
        id={id}
        popover="auto"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- one element is a dialog or a popover, not both
        role="dialog"
        aria-label={label}
        className={styles.popover}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <CalendarBody {...props} anchor={button} box={box} onClose={close} />}
      </div>
    </>
  )
}

type CalendarBodyProps = CalendarButtonProps & {
  anchor: RefObject<HTMLElement | null>
  box: RefObject<HTMLElement | null>
  onClose: () => void
}

function CalendarBody({ anchor, box, onClose, ...props }: CalendarBodyProps) {
  const { from, to, isRange = false, min, max, getToday, toChoices, onChoose } = props
  const [today] = useState(getToday)
  const [first, setFirst] = useState<string>()
  useBeside(anchor, box)

  // Tab leads out of the calendar, which would cover what has the focus then.
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof Node && target !== anchor.current && !box.current?.contains(target)) onClose()
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  })

  function choose(start: string, end: string) {
    onChoose(start, end)
    onClose()
  }

  function pick(day: string) {
    if (!isRange) choose(day, day)
    else if (first === undefined) setFirst(day)
    else choose(first < day ? first : day, first < day ? day : first)
  }

  return (
    <>
      <div className={styles.choices}>
        {toChoices(today).map((choice) => (
          <Button
            key={choice.label}
            size="small"
            aria-pressed={choice.from === from && choice.to === to}
            onClick={() => choose(choice.from, choice.to)}
          >
            {choice.label}
          </Button>
        ))}
      </div>
      <LoadedCalendar from={first ?? from} to={first ?? to} today={today} min={min} max={max} onPick={pick} />
      {isRange && (
        <p className={styles.hint} aria-live="polite">
          {first === undefined ? 'Choose the first day.' : `From ${first}: choose the last day.`}
        </p>
      )}
    </>
  )
}

/** The calendar, or a placeholder of the same height until its code is loaded. */
function LoadedCalendar(props: Parameters<Calendar>[0]) {
  const [state, setState] = useState<{ Days?: Calendar; failed?: boolean }>({})
  const { Days, failed = false } = state
  useEffect(() => {
    let isLeft = false
    loadCalendar().then(
      (loaded) => isLeft || setState({ Days: loaded }),
      () => isLeft || setState({ failed: true }),
    )
    return () => {
      isLeft = true
    }
  }, [])
  if (failed) {
    return <p role="alert">The calendar could not be loaded. Write the day, or open it again.</p>
  }
  return <div className={styles.days}>{Days ? <Days {...props} /> : <Skeleton height="100%" />}</div>
}

/** Keeps the popover beside its button and inside the window, whatever scrolls. */
function useBeside(anchor: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const place = () => {
      const [at, node] = [anchor.current?.getBoundingClientRect(), box.current]
      if (!at || !node) return
      const below = at.bottom + GAP + node.offsetHeight + EDGE <= window.innerHeight
      const top = below ? at.bottom + GAP : Math.max(EDGE, at.top - GAP - node.offsetHeight)
      const left = Math.max(EDGE, Math.min(at.right - node.offsetWidth, window.innerWidth - node.offsetWidth - EDGE))
      Object.assign(node.style, { top: `${top}px`, left: `${left}px` })
    }
    place()
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
    }
  }, [anchor, box])
}
