import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import styles from './mail-body.module.css'

type MailBodyProps = { subject: string; html: string; text: string; calendar?: string | null | undefined }

/** A mail as its reader sees it. */
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
            onClick={() => setForm(name as typeof form)} // a key of what is shown
          >
            {label}
          </Button>
        ))}
      </div>
      {form === 'html' ? (
        // Nothing in it may run, nor lead the portal elsewhere.
        <iframe className={styles.html} title={`Mail: ${subject}`} sandbox="" srcDoc={toFrame(html)} />
      ) : (
        <pre className={styles.text}>{form === 'text' ? text : calendar}</pre>
      )}
    </>
  )
}

/** Its links would open in the frame, where the portal lets itself not be shown. */
function toFrame(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">')
}
