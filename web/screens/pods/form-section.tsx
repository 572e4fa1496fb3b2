import { type ReactNode, useId, useState } from 'react'
import styles from './form-section.module.css'

type FormSectionProps = {
  title: string
  /** `false` for codes and addresses. Set once per section, because setting it on each input is slow. */
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
 * Prefilled fields that rarely change, rendered only when open. An error in one of them opens the section, which stays
 * open once the error is fixed, so that it does not close while somebody types.
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
