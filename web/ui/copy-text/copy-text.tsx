import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import styles from './copy-text.module.css'

/** A text shown in full, with a button that copies it. */
export function CopyText({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.row}>
      <code className={styles.text} aria-label={label}>
        {text}
      </code>
      <CopyButton text={text} />
    </div>
  )
}

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)

  async function copy() {
    // Without a secure connection there is no clipboard: the text can be selected and copied by hand.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    )
  }

  return (
    <>
      <Button icon={copied ? <IconCheck size={16} /> : <IconCopy size={16} />} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
      <Announcement>{copied && 'Copied'}</Announcement>
    </>
  )
}
