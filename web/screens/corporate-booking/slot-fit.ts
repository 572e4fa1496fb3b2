import { type Selection, type SlotRules, toggleMark } from '#contract/slot-selection.ts'

/**
 * Reduces a selection to what still fits after the pod, the date or others' bookings have changed: chooses its marks
 * again, in order, and returns those that cannot be chosen any more as `dropped`.
 */
export function fitSelection(selection: Selection, rules: SlotRules): { kept: Selection; dropped: Selection } {
  let kept: Selection = []
  for (const mark of selection) kept = toggleMark(kept, mark, rules).selection
  return { kept, dropped: selection.filter((mark) => !kept.includes(mark)) }
}
