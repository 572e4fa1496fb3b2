import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconAction } from '../button/button.tsx'
import { IconAdjustmentsHorizontal, IconX } from '../icons/icons.tsx'
import { SearchInput } from '../search-input/search-input.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './filter-bar.module.css'

const DEBOUNCE_MS = 200

type SearchFieldProps = {
  label: string
  placeholder?: string
  value: string
  /** Called 200 ms after the last key, and at once when cleared, submitted or left. */
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

  function type(next: string) {
    setTyped(next)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => tell(next), DEBOUNCE_MS)
  }

  function tell(next: string) {
    window.clearTimeout(timer.current)
    setTyped(next)
    setSeen(next)
    onChange(next)
  }

  return (
    <search className={styles.search}>
      <SearchInput
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell(typed)
        }}
        // At once: what is done next, such as clearing all filters, must not be undone by what was typed before.
        onBlur={() => {
          if (typed !== seen) tell(typed)
        }}
      />
      {typed && (
        <IconAction
          size="small"
          label="Clear search"
          icon={<IconX size={14} />}
          className={styles.clear}
          onClick={() => tell('')}
        />
      )}
    </search>
  )
}

type FilterBarProps = {
  search?: SearchFieldProps
  /** How many of the filters narrow the list, the search aside: told on the button that they fold behind on a phone. */
  setCount?: number
  /** Empties search and filters. */
  onClear?: () => void
  /** Beside the filters, and never folded. */
  note?: ReactNode
  children?: ReactNode
}

/** The one line of filters of a screen: a search first, then what else narrows the list; on a phone behind a button. */
export function FilterBar({ search, setCount = 0, onClear, note, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const filtersId = useId()
  const isNarrowed = setCount > 0 || Boolean(search?.value)
  return (
    <div className={styles.bar}>
      {search && <SearchField {...search} />}
      {children !== undefined && (
        <>
          <Button
            className={styles.fold}
            icon={<IconAdjustmentsHorizontal size={16} />}
            aria-expanded={isOpen}
            aria-controls={filtersId}
            onClick={() => setOpen(!isOpen)}
          >
            Filters
            {setCount > 0 && (
              <span className={styles.count}>
                {setCount}
                <VisuallyHidden> set</VisuallyHidden>
              </span>
            )}
          </Button>
          <div id={filtersId} className={styles.filters} data-open={isOpen || undefined}>
            {children}
            {onClear && isNarrowed && (
              <Button variant="subtle" className={styles.wide} onClick={onClear}>
                Clear filters
              </Button>
            )}
          </div>
        </>
      )}
      {note}
    </div>
  )
}
