import styles from './date-filter.module.css'

type DateFilterProps = {
  /** Shown before the field: From, To. */
  label: string
  /** 'YYYY-MM-DD', or '' for none. */
  value: string
  onChange: (value: string) => void
}

/** A day that narrows a list, in the line of filters. */
export function DateFilter({ label, value, onChange }: DateFilterProps) {
  return (
    <label className={styles.root}>
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}
