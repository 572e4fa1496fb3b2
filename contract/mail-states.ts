import { messageKinds } from './message-templates.ts'

/** `kept`: not sent, because SMTP_URL is not set. `outdated`: not sent, because its content is no longer true. */
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
