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
  /** Called 200 ms after the last key press, and at once when the field is cleared, submitted or left. */
  onChange: (value: string) => void
}

/** A search field that reports what was typed after a pause. */
function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const timer = useRef<number | undefined>(undefined)
  // A new value from outside (back button, reset) replaces the text.
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
        // Reported at once, so that a pending timer does not undo what is done next, such as clearing all filters.
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
  /** Number of filters that are set, without the search. Shown on the button that they are folded behind on a phone. */
  setCount?: number
  /** Clears the search and the filters. */
  onClear?: () => void
  /** Shown beside the filters, and never folded away. */
  note?: ReactNode
  children?: ReactNode
}

/** A screen's line of filters: the search first, then the others, which are folded behind a button on a phone. */
export function FilterBar({ search, setCount = 0, onClear, note, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const filtersId = useId()
  const isNarrowed = setCount > 0 || Boolean(search?.value)
  return (
    <div className={styles.bar}>
      {search && <SearchField {...search} />}
      {children !== undefined && children !== null && (
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
          <div
            id={filtersId}
            className={styles.filters}
            data-open={isOpen || undefined}
            data-clearable={(onClear && !isNarrowed) || undefined}
          >
            {children}
            {onClear && isNarrowed && (
              <Button
                variant="subtle"
                className={styles.clearAll}
                icon={<IconX size={16} />}
                aria-label="Clear filters"
                data-tooltip="Clear filters"
                onClick={onClear}
              >
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
