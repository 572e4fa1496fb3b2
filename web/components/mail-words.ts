import type { MailKind, MailState } from '#contract/mail-states.ts'
import type { Tone } from '#web/ui/status-chip/status-chip.tsx'

export const stateLabels: Record<MailState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Not sent',
  outdated: 'Outdated',
}

export const stateTones: Record<MailState, Tone> = {
  queued: 'blue',
  sent: 'green',
  failed: 'red',
  kept: 'grey',
  outdated: 'grey',
}

export const mailKindLabels: Record<MailKind, string> = {
  invitation: 'Invitation',
  'password-link': 'Password link',
  'password-changed': 'New password',
  'new-sign-in': 'New sign-in',
  'second-factor': 'Second factor',
  booked: 'Booked',
  moved: 'Changed',
  cancelled: 'Cancelled',
  reminder: 'Reminder',
}
