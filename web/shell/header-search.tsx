import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { SearchInput } from '#web/ui/search-input/search-input.tsx'
import styles from './header-search.module.css'

export type HeaderSearchProps = {
  value: string
  onChange: (value: string) => void
  onSubmit: (value: string) => void
  /** What was found, drawn under the field; it closes when this is absent. */
  results?: ReactNode
  /** The id of the results' listbox while there is one, and of the option that the arrow keys stand on. */
  listId?: string | undefined
  activeOptionId?: string | undefined
  /** Arrow keys and Escape, for the results. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onFocus?: () => void
  /** The focus, or a click, went elsewhere. */
  onLeave?: () => void
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** The header's search. `/` leads to it from anywhere but another field. */
export function HeaderSearch(props: HeaderSearchProps) {
  const { value, onChange, onSubmit, results, listId, activeOptionId, onKeyDown, onFocus, onLeave } = props
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLFormElement>(null)

  // The key works wherever the focus is, except in front of an open dialog.
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const slash = event.key === '/' && !isTyping(event.target)
      if (!slash || document.querySelector('dialog[open]')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  // Leaving the whole of it, results included.
  useEffect(() => {
    const node = box.current
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && node?.contains(event.relatedTarget)) return
      // A button of the results that goes when it is pressed, as Retry does, is not left: its focus comes back here.
      const isGone = event.relatedTarget === null && event.target !== input.current && document.hasFocus()
      if (isGone) input.current?.focus()
      else onLeave?.()
    }
    node?.addEventListener('focusout', onFocusOut)
    return () => node?.removeEventListener('focusout', onFocusOut)
  }, [onLeave])

  return (
    <search className={styles.search}>
      <form
        ref={box}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(value)
        }}
      >
        <SearchInput
          ref={input}
          placeholder="Search..."
          autoComplete="off"
          value={value}
          aria-label="Search"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SearchInput draws an input
          role="combobox"
          aria-expanded={listId !== undefined}
          aria-controls={listId}
          aria-activedescendant={activeOptionId}
          aria-autocomplete="list"
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        />
        <kbd className={styles.key} aria-hidden>
          /
        </kbd>
        {results && <div className={styles.results}>{results}</div>}
      </form>
    </search>
  )
}
