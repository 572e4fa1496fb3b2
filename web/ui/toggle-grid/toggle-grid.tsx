import { type KeyboardEvent, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './toggle-grid.module.css'

export type ToggleGridItem = {
  value: string
  label: string
  pressed?: boolean
  /** Between the pressed items: part of the choice without having been clicked. */
  inRange?: boolean
  disabled?: boolean
  /** Why it is disabled, for the tooltip and screen readers: 'booked', 'passed'. */
  reason?: string
}

type ToggleGridProps = {
  label: string
  items: readonly ToggleGridItem[]
  columns?: number
  onToggle: (value: string) => void
}

/** Returns the index that a key moves to in a grid; undefined for other keys and beyond the edges. */
export function toNextIndex(key: string, index: number, columns: number, count: number): number | undefined {
  const next = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    Home: index - (index % columns),
    End: Math.min(index - (index % columns) + columns - 1, count - 1),
  }[key]
  return next !== undefined && next >= 0 && next < count ? next : undefined
}

/**
 * A grid of toggle buttons. Tab enters it once, and the arrow keys move in it. Disabled buttons can be reached too, so
 * that a screen reader can say why they are disabled.
 */
export function ToggleGrid({ label, items, columns = 4, onToggle }: ToggleGridProps) {
  const grid = useRef<HTMLFieldSetElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const fallback = items.find((item) => item.pressed) ?? items.find((item) => !item.disabled) ?? items[0]
  const entry = items.some((item) => item.value === current) ? current : fallback?.value

  function onKeyDown(event: KeyboardEvent, index: number) {
    const next = toNextIndex(event.key, index, columns, items.length)
    if (next === undefined) return
    event.preventDefault()
    grid.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <fieldset ref={grid} className={styles.grid} aria-label={label} style={{ '--columns': columns }}>
      {items.map((item, index) => (
        <button
          key={item.value}
          type="button"
          className={classNames(styles.toggle, item.inRange && styles.inRange)}
          aria-pressed={Boolean(item.pressed || item.inRange)}
          aria-disabled={item.disabled || undefined}
          aria-label={item.reason ? `${item.label}, ${item.reason}` : undefined}
          data-edge={item.pressed || undefined}
          data-tooltip={item.reason}
          tabIndex={item.value === entry ? 0 : -1}
          onFocus={() => setCurrent(item.value)}
          onKeyDown={(event) => onKeyDown(event, index)}
          onClick={() => {
            if (!item.disabled) onToggle(item.value)
          }}
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  )
}
