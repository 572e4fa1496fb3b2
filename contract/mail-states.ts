import { messageKinds } from './message-templates.ts'

/** `kept`: nothing sends mails here, as SMTP_URL is not set. `outdated`: what it says is not so any more, and it was not sent. */
export const mailStates = ['queued', 'sent', 'failed', 'kept', 'outdated'] as const
export type MailState = (typeof mailStates)[number]

export const mailKinds = [
  'invitation',
  'password-link',
  'password-changed',
  'new-sign-in',
  'second-factor',
  ...messageKinds,
] as const
export type MailKind = (typeof mailKinds)[number]
