import { type ReactNode, useId, useState } from 'react'
import styles from './form-section.module.css'

type FormSectionProps = {
  title: string
  /** `false` where codes and addresses are typed; said once here, as telling each input takes the browser longer than drawing it. */
  spellCheck?: boolean
  children: ReactNode
}

/** A group of fields with its heading. */
export function FormSection({ title, spellCheck, children }: FormSectionProps) {
  const id = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out as a flex column everywhere
    <div role="group" aria-labelledby={id} spellCheck={spellCheck} className={styles.section}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      {children}
    </div>
  )
}

/**
 * Fields that come filled in and seldom change, drawn when they are opened; open when one of them is in error, and still
 * when it is mended: mending must not close it under the hand.
 */
export function MoreSection({ forceOpen, children }: { forceOpen: boolean; children: ReactNode }) {
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || forceOpen
  return (
    <details className={styles.more} open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>More</summary>
      {isOpen && <div className={styles.section}>{children}</div>}
    </details>
  )
}
