import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import styles from './mail-body.module.css'

type MailBodyProps = { subject: string; html: string; text: string; calendar?: string | null | undefined }

/** Shows a mail as its recipient sees it. */
export function MailBody({ subject, html, text, calendar }: MailBodyProps) {
  const [form, setForm] = useState<'html' | 'text' | 'calendar'>('html')
  const shown = { html: 'As it looks', text: 'As text', ...(calendar && { calendar: 'Calendar file' }) }
  return (
    <>
      <div className={styles.forms}>
        {Object.entries(shown).map(([name, label]) => (
          <Button
            key={name}
            size="small"
            aria-pressed={form === name}
            onClick={() => setForm(name as typeof form)} // `shown` has no other keys
          >
            {label}
          </Button>
        ))}
      </div>
      {form === 'html' ? (
        // Sandboxed, so that the mail can neither run scripts nor navigate the portal. Its links open new tabs.
        <iframe
          className={styles.html}
          title={`Mail: ${subject}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={toFrame(html)}
        />
      ) : (
        <pre className={styles.text}>{form === 'text' ? text : calendar}</pre>
      )}
    </>
  )
}

/** Gives links a new tab as target: inside the frame the portal refuses to be shown. */
function toFrame(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">')
}
