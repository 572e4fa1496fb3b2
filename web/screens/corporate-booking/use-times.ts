import { useRef, useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import type { Pod } from '#contract/pods.ts'
import { findSubmitError, type Selection } from '#contract/slot-selection.ts'
import { toMarks } from '#contract/slots.ts'
import { useBusinessDay } from '#web/lib/business-day.ts'
import { isDay } from '#web/lib/days.ts'
import { isWithin, toBookedInterval } from './booking-words.ts'
import { type Repeats, toWeekdayCode, useFreeInstead, useSeries } from './repeats.ts'
import { fitSelection } from './slot-fit.ts'
import { useAvailability } from './use-availability.ts'
import type { Prefill } from './use-prefill.ts'

/**
 * When the pod is to be booked: the day, the marks on it and how the booking repeats, with what of that is free.
 * `mayBook` is false for those who only look at what is free.
 */
export function useTimes(prefill: Pick<Prefill, 'date' | 'selection'>, pod: Pod | undefined, mayBook: boolean) {
  const today = useBusinessDay()
  // Undefined for today, until the day or something of that day is chosen.
  const [chosenDay, setDay] = useState(prefill.date || undefined)
  const date = chosenDay ?? today
  /** The date, or while it is being typed the one before. */
  const lastDay = useRef(date)
  const [chosen, setChosen] = useState(prefill.selection)
  const [repeats, setRepeats] = useState<Repeats>()
  const [ignoresHours, setIgnoresHours] = useState(false)
  const availability = useAvailability(pod?._id ?? null, date, ignoresHours)
  const { rules } = availability
  const { kept: selection, dropped } = rules ? fitSelection(chosen, rules) : { kept: chosen, dropped: [] }
  const errors = {
    date: isDay(date) ? undefined : toRequiredMessage('Date'),
    slots: findSubmitError(selection, rules),
  }
  const isWhole = rules !== undefined && pod !== undefined && !errors.slots && !errors.date
  const isAsked = repeats !== undefined && isDay(repeats.until) && repeats.until >= date && repeats.weekdays.length > 0
  const question = isWhole && isAsked ? { podId: pod._id, ...toBookedInterval(date, selection), repeats } : undefined
  const series = useSeries(question)
  const isTaken =
    dropped.length > 0 && !rules?.isPassed(chosen[0] ?? '') && findSubmitError(chosen, undefined) === undefined
  const freeInstead = useFreeInstead(mayBook && isTaken ? pod?._id : undefined, date, chosen)

  /** Sets the date. A series on the weekday of the date follows it; weekdays that were chosen stay. */
  function setDate(next: string) {
    setDay(next)
    const [before, after] = [toWeekdayCode(lastDay.current), toWeekdayCode(next)]
    if (after === undefined) return
    lastDay.current = next
    if (repeats && repeats.weekdays.join() === before) setRepeats({ ...repeats, weekdays: [after] })
  }

  return {
    date,
    setDate,
    /** The chosen marks that can be booked. Those that were cleared are `dropped`. */
    selection,
    dropped,
    select: (marks: Selection) => {
      setDate(date)
      setChosen(marks)
    },
    /** Sets the date and the marks to those of an offered time. */
    take: (time: { startTime: string; endTime: string }) => {
      setDate(time.startTime.slice(0, 10))
      setChosen(toMarks(time))
    },
    errors,
    availability,
    /** Undefined until it is known, and while what was chosen is free. */
    freeInstead,
    ignoresHours,
    setIgnoresHours,
    isOutsideHours: ignoresHours && availability.outsideHours.some((mark) => isWithin(mark, selection)),
    /** Undefined for a single booking. */
    repeats,
    setRepeats,
    toggleRepeats: (isOn: boolean) => {
      setDate(date)
      setRepeats(isOn ? { weekdays: [toWeekdayCode(lastDay.current) ?? 'MO'], everyWeeks: 1, until: '' } : undefined)
    },
    series,
    /** What to create as a series; undefined for a single booking. */
    newSeries: question && { question, choices: series.made.map(({ choice }) => choice) },
    isLoading: (rules === undefined && !availability.problem) || (question !== undefined && series.isLoading),
    isComplete: isWhole && (repeats === undefined || series.isComplete),
    isChanged: date !== (prefill.date || today) || chosen !== prefill.selection || repeats !== undefined,
    /** Whether the day and the marks are those that the link to the form asked for. */
    isPrefilled: date === prefill.date && chosen === prefill.selection,
  }
}
