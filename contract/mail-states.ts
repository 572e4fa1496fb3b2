/** `kept`: nothing sends mails here, as SMTP_URL is not set. */
export const mailStates = ['queued', 'sent', 'failed', 'kept'] as const
export type MailState = (typeof mailStates)[number]

export const mailKinds = ['invitation', 'password-changed', 'new-sign-in'] as const
export type MailKind = (typeof mailKinds)[number]
