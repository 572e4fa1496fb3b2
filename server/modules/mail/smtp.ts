import type { Config } from '#server/config.ts'

type SmtpMail = {
  /** Unique, and the same each time a mail is sent, so that mailboxes show repetitions once. */
  id: string
  toName: string
  toEmail: string
  subject: string
  html: string
  text: string
  /** A PNG, shown where the HTML refers to `cid:code`. */
  code?: Buffer | undefined
  calendar?: { method: string; content: string } | undefined
}

/** Sends a mail and returns the mail server's response. Throws a MailError with the response when it fails. */
export type SendMail = (mail: SmtpMail) => Promise<string>

export class MailError extends Error {
  /** True when the server would refuse this mail or its address again. */
  readonly isPermanent: boolean

  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Shorter than a job's lease, extended or not, but long enough for servers that scan a mail before accepting it. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000, dnsTimeout: 10_000 }

export async function createSmtp({ url, from }: NonNullable<Config['smtp']>, productName: string): Promise<SendMail> {
  // Loaded here, so that servers that send no mail start without it.
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
  const { code, command, responseCode = 0, response, message } = error as SmtpFailure // as thrown by nodemailer
  // A wrong SMTP password (EAUTH) or MAIL_FROM is a 5xx too, but it is not the mail's fault and can be corrected.
  const isOfMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE'
  return new MailError(response ?? message, isOfMail && responseCode >= 500)
}

type SmtpFailure = { code?: string; command?: string; responseCode?: number; response?: string; message: string }
