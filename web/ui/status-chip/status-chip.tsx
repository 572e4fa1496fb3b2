import type { ReactNode } from 'react'
import styles from './status-chip.module.css'

export type Tone = 'green' | 'blue' | 'orange' | 'red' | 'grey'

/** A status in words, with a dot and a soft background in its tone. */
export function StatusChip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {children}
    </span>
  )
}
