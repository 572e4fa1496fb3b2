import type { ReactNode } from 'react'
import styles from './choices.module.css'

/** Buttons to choose from, under their name. */
export function Choices({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.choices}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
