import styles from './spinner.module.css'

/** A turning ring. It is decorative: the element around it must say what is loading. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <span className={styles.ring} style={{ width: size, height: size }} aria-hidden />
}

/** Fills the window while a screen's access is checked; it appears only after 150 ms. */
export function FullScreenSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <output className={styles.screen}>
      <Spinner size={28} />
      <span className={styles.label}>{label}</span>
    </output>
  )
}
