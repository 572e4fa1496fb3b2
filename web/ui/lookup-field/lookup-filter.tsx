import { LookupField, type LookupFieldProps } from './lookup-field.tsx'
import styles from './lookup-filter.module.css'

type LookupFilterProps = Pick<LookupFieldProps, 'label' | 'lookup' | 'selected'> & {
  /** What no choice means: 'All pods'. */
  placeholder: string
  /** '' for none. */
  value: string
  onChange: (value: string) => void
}

/** One of many records that narrows a list, in the line of filters; its label is read but not seen. */
export function LookupFilter({ value, onChange, ...props }: LookupFilterProps) {
  return (
    <div className={styles.root}>
      <LookupField {...props} hideLabel clearable value={value || null} onChange={(next) => onChange(next ?? '')} />
    </div>
  )
}
