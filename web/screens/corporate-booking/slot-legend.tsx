import styles from './time-slots-dialog.module.css'

const entries = [
  { state: 'free', label: 'Free' },
  { state: 'chosen', label: 'Chosen' },
  { state: 'between', label: 'Part of the booking' },
  { state: 'taken', label: 'Booked, closed or passed' },
] as const

/** The legend of the marks' looks. Each mark also says its state in words. */
export function SlotLegend() {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {entries.map(({ state, label }) => (
        <li key={state}>
          <span className={styles.sample} data-state={state} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  )
}
