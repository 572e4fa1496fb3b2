import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconAction } from './button.tsx'
import styles from './filter-bar.module.css'
import { IconSearch, IconX } from './icons.tsx'

const DEBOUNCE_MS = 200

type SearchFieldProps = {
  label: string
  placeholder?: string
  value: string
  /** Called 200 ms after the last key, and at once when cleared or submitted. */
  onChange: (value: string) => void
}

/** A search that waits for the fingers to rest. */
function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const timer = useRef<number | undefined>(undefined)
  // A new value from outside (back button, reset) replaces what stands here.
  if (value !== seen) {
    setSeen(value)
    setTyped(value)
  }

  // A timer must not outlive the field.
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function change(next: string, delay: number) {
    setTyped(next)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      setSeen(next)
      onChange(next)
    }, delay)
  }

  return (
    <search className={styles.search}>
      <IconSearch size={16} className={styles.icon} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => change(event.currentTarget.value, DEBOUNCE_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') change(typed, 0)
        }}
      />
      {typed && (
        <IconAction
          size="small"
          label="Clear search"
          icon={<IconX size={14} />}
          className={styles.clear}
          onClick={() => change('', 0)}
        />
      )}
    </search>
  )
}

/** The one line of filters of a screen: a search first, then what else narrows the list. */
export function FilterBar({ search, children }: { search?: SearchFieldProps; children?: ReactNode }) {
  return (
    <div className={styles.bar}>
      {search && <SearchField {...search} />}
      {children}
    </div>
  )
}
