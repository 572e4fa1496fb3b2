import styles from './date-filter.module.css'

type DateRangeFilterProps = {
  /** 'YYYY-MM-DD', or '' for none; both days belong to the range. */
  from: string
  to: string
  onChange: (change: { from?: string; to?: string }) => void
}

/** The days that narrow a list, in the line of filters. */
export function DateRangeFilter({ from, to, onChange }: DateRangeFilterProps) {
  return (
    <div className={styles.range}>
      <DateFilter label="From" value={from} onChange={(day) => onChange({ from: day })} />
      <DateFilter label="To" value={to} onChange={(day) => onChange({ to: day })} />
    </div>
  )
}

function DateFilter({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}
