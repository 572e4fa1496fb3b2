import { LookupField, type LookupFieldProps } from './lookup-field.tsx'
import styles from './lookup-filter.module.css'

type LookupFilterProps = Pick<LookupFieldProps, 'label' | 'lookup' | 'selected'> & {
  /** Says what no choice means: 'All pods'. */
  placeholder: string
  /** '' for none. */
  value: string
  onChange: (value: string) => void
}

/** Filters a list by one of many records. The label is only for screen readers. */
export function LookupFilter({ value, onChange, ...props }: LookupFilterProps) {
  return (
    <div className={styles.root}>
      <LookupField {...props} hideLabel clearable value={value || null} onChange={(next) => onChange(next ?? '')} />
    </div>
  )
}
