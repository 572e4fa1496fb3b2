import { toBuffer, toDataURL } from 'qrcode'
import { escapeHtml } from '#server/escape-html.ts'

/** The content of a mail, independent of its layout. All texts are plain text. */
export type MailContent = {
  subject: string
  name: string
  paragraphs: readonly string[]
  /** Labels and values, shown as a table in the order given. A value may have several lines. */
  facts?: Readonly<Record<string, string>>
  /** The texts beside the QR code, the attached image `cid:code`. `spoken` can be said instead of showing the code. */
  code?: { caption: string; spoken: string }
  button?: { label: string; href: string }
  /** Why the receiver gets this mail, in small print at the foot. */
  note: string
}

type RenderedMail = { subject: string; text: string; html: string }

/** Renders a mail with the template of all mails, as HTML and as text. The HTML loads nothing from elsewhere. */
export function renderMail(content: MailContent, productName: string): RenderedMail {
  return { subject: content.subject, text: toText(content, productName), html: toHtml(content, productName) }
}

function toText({ name, paragraphs, facts = {}, code, button, note }: MailContent, productName: string): string {
  const factLines = Object.entries(facts).map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n  ')}`)
  return [
    toGreeting(name),
    ...paragraphs,
    ...(factLines.length > 0 ? [factLines.join('\n')] : []),
    ...(code ? [`${code.caption}: ${code.spoken}`] : []),
    ...(button ? [`${button.label}: ${button.href}`] : []),
    `-- \n${productName}\n${note}`,
  ].join('\n\n')
}

const toGreeting = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)

const FONT = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`
const INK = '#1f1d1a'
const DIM = '#69645d'
const BRAND = '#d6202f'

/** Uses only tables and style attributes, which all mail programs support. */
function toHtml(
  { subject, name, paragraphs, facts = {}, code, button, note }: MailContent,
  productName: string,
): string {
  const toParagraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:${INK}">${toLines(text)}</p>`
  const factRows = Object.entries(facts).map(
    ([label, value]) => `<tr>
<td style="padding:4px 16px 4px 0;font-size:14px;line-height:20px;color:${DIM};vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>
<td style="padding:4px 0;font-size:14px;line-height:20px;color:${INK}">${toLines(value)}</td>
</tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f7f6f4;${FONT}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:#f7f6f4">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px">
<tr><td style="padding:0 0 16px;font-size:18px;line-height:24px;font-weight:600;color:${BRAND}">${escapeHtml(productName)}</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #e6e3de;border-radius:8px;word-break:break-word">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:${INK}">${escapeHtml(subject)}</h1>
${[toGreeting(name), ...paragraphs].map(toParagraph).join('\n')}
${factRows.length > 0 ? `<table role="presentation" cellspacing="0" cellpadding="0" style="margin:0 0 16px">\n${factRows.join('\n')}\n</table>` : ''}
${code ? toCode(code) : ''}
${button ? `<p style="margin:24px 0 0"><a href="${escapeHtml(button.href)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${BRAND};color:#ffffff;font-size:16px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>` : ''}
</td></tr>
<tr><td style="padding:16px 0 0;font-size:12px;line-height:18px;color:${DIM}">${escapeHtml(note)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Draws the code on white with a quiet zone, so that it can be scanned in a dark mail program too. */
function toCode({ caption, spoken }: NonNullable<MailContent['code']>): string {
  return `<div style="margin:8px 0 0;padding:24px 0 0;border-top:1px solid #e6e3de">
<img src="cid:code" width="160" height="160" alt="QR code of your booking" style="display:block;width:160px;height:160px;padding:8px;background:#ffffff">
<p style="margin:12px 0 0;font-size:14px;line-height:20px;color:${DIM}">${escapeHtml(caption)} <span style="font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:16px;letter-spacing:1px;color:${INK}">${escapeHtml(spoken)}</span></p>
</div>`
}

const CODE_SIZE = { margin: 0, width: 320 }

/** Returns the HTML for browsers, with the QR code embedded instead of attached. */
export async function showCode(html: string, code: string | null): Promise<string> {
  return code === null ? html : html.replace('src="cid:code"', `src="${await toDataURL(code, CODE_SIZE)}"`)
}

/** Returns the QR code that is attached to the mail, as a PNG. */
export function drawCode(code: string): Promise<Buffer> {
  return toBuffer(code, CODE_SIZE)
}

const toLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
