import type { ReactNode } from 'react'
import { TextField } from '#web/ui/field/fields.tsx'

/** Returns whether only the opening hours are in the way, which staff can override with a reason (rules §26.8). */
export function areHoursAlone(reasons: readonly { code: string }[]): boolean {
  return reasons.length > 0 && reasons.every(({ code }) => code === 'outside_hours')
}

/** Why a form with this field cannot be submitted while it is empty. */
export const REASON_MISSING = 'Give the reason for booking outside opening hours.'

type OverrideReasonProps = { value?: string; onChange?: (reason: string) => void; error?: ReactNode }

export function OverrideReason(props: OverrideReasonProps) {
  return <TextField label="Reason to book outside opening hours" required {...props} />
}
