import type { Config } from '#server/config.ts'

type SmtpMail = {
  /** Unique, and the same each time it is sent: mailboxes show a repetition once. */
  id: string
  toName: string
  toEmail: string
  subject: string
  html: string
  text: string
  /** PNG, shown where the HTML says `cid:code`. */
  code?: Buffer | undefined
  calendar?: { method: string; content: string } | undefined
}

/** Returns what the mail server said; throws a MailError with it. */
export type SendMail = (mail: SmtpMail) => Promise<string>

export class MailError extends Error {
  /** The server refuses this mail or its address, and would again. */
  readonly isPermanent: boolean

  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Shorter than the lease of a job, extended or not, and long enough for servers that look into a mail before they take it. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000, dnsTimeout: 10_000 }

export async function createSmtp({ url, from }: NonNullable<Config['smtp']>, productName: string): Promise<SendMail> {
  // Servers that send no mail start without it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
  return async ({ id, toName, toEmail, subject, html, text, code, calendar }) => {
    try {
      const { response } = await transport.sendMail({
        messageId: `<${id}@${from.split('@')[1]}>`,
        from: { name: productName, address: from },
        to: { name: toName, address: toEmail },
        subject,
        html,
        text,
        ...(code && { attachments: [{ cid: 'code', filename: 'code.png', content: code, contentType: 'image/png' }] }),
        ...(calendar && { icalEvent: { ...calendar, filename: 'booking.ics' } }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return response
    } catch (error) {
      throw toMailError(error)
    }
  }
}

function toMailError(error: unknown): MailError {
  const { code, responseCode = 0, response, message } = error as SmtpFailure // of nodemailer
  // A wrong password of ours (EAUTH) is a 5xx too, and is put right without the mail.
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return new MailError(response ?? message, isOfMail && responseCode >= 500)
}

type SmtpFailure = { code?: string; responseCode?: number; response?: string; message: string }
