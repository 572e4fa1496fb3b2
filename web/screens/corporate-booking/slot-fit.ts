import { type Selection, type SlotRules, toggleMark } from '#contract/slot-selection.ts'

/**
 * What of a selection still fits once the pod, the date or the bookings of others have changed: each mark that could be
 * chosen anew, in their order. The rest is dropped.
 */
export function fitSelection(selection: Selection, rules: SlotRules): { kept: Selection; dropped: Selection } {
  let kept: Selection = []
  for (const mark of selection) kept = toggleMark(kept, mark, rules).selection
  return { kept, dropped: selection.filter((mark) => !kept.includes(mark)) }
}
