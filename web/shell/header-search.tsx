import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { searchKeyChoice } from '#web/lib/browser-choice.ts'
import { isTyping } from '#web/lib/is-typing.ts'
import { SearchInput } from '#web/ui/search-input/search-input.tsx'
import styles from './header-search.module.css'

export type HeaderSearchProps = {
  value: string
  onChange: (value: string) => void
  onSubmit: (value: string) => void
  /** The results, shown under the field; nothing is shown when absent. */
  results?: ReactNode
  /** Id of the results' listbox, while there is one; `activeOptionId` is the option selected by the arrow keys. */
  listId?: string | undefined
  activeOptionId?: string | undefined
  /** Handles arrow keys and Escape for the results. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onFocus?: () => void
  /** Called when the focus leaves the field and its results. */
  onLeave?: () => void
}

/** The header's search. Pressing `/` outside a field focuses it, unless that is switched off. */
export function HeaderSearch(props: HeaderSearchProps) {
  const { value, onChange, onSubmit, results, listId, activeOptionId, onKeyDown, onFocus, onLeave } = props
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLFormElement>(null)
  const hasKey = searchKeyChoice.useValue() === 'on'

  // The key works wherever the focus is, except while a dialog is open. A layout effect runs before the field is seen.
  useLayoutEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const slash = event.key === '/' && searchKeyChoice.read() === 'on' && !isTyping(event.target)
      if (!slash || document.querySelector('dialog[open]')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  // Detects when the focus leaves the field and its results.
  useEffect(() => {
    const node = box.current
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && node?.contains(event.relatedTarget)) return
      // A focused button in the results may disappear when pressed, such as Retry: take the focus back to the field.
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
        {hasKey && (
          <kbd className={styles.key} aria-hidden>
            /
          </kbd>
        )}
        {results && <div className={styles.results}>{results}</div>}
      </form>
    </search>
  )
}
