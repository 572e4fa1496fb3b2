import { useEffect, useState } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import styles from './copy-id.module.css'

const COPIED_MS = 1500

/** Returns the first six and last four characters; ids of up to 13 characters stay whole. */
export function shortenId(id: string): string {
  return id.length <= 13 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`
}

/** An id in monospace, shortened in the middle. Shown whole on hover, copied by a click. */
export function CopyId({ id }: { id: string }) {
  const [copied, setCopied] = useState(false)

  // Hides the tick after a moment.
  useEffect(() => {
    if (!copied) return
    const timer = window.setTimeout(() => setCopied(false), COPIED_MS)
    return () => window.clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(id)
      setCopied(true)
    } catch {
      // Without a secure connection there is no clipboard: the whole id can still be read in the tooltip.
    }
  }

  return (
    <button
      type="button"
      className={styles.id}
      data-tooltip={copied ? 'Copied' : id}
      aria-label={`Copy id ${shortenId(id)}`}
      onClick={() => void copy()}
    >
      {shortenId(id)}
      {copied ? <IconCheck size={14} className={styles.done} /> : <IconCopy size={14} className={styles.icon} />}
      <Announcement>{copied && 'Copied'}</Announcement>
    </button>
  )
}
