import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { IconAction } from '../button/button.tsx'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import { IconSelector, IconX } from '../icons/icons.tsx'
import type { Problem } from '../problem.ts'
import type * as LookupCombobox from './lookup-combobox.tsx'
import { LookupFailure } from './lookup-failure.tsx'
import styles from './lookup-field.module.css'
import { useLookupSearch } from './use-lookup-search.ts'

export type LookupOption = {
  value: string
  label: string
  /** A second, quieter line. */
  detail?: string
  /** At the left of the words. */
  image?: ReactNode
}

/** What the search over all choices has found so far. */
export type Lookup = {
  options: readonly LookupOption[]
  /** What is typed, after a pause; '' when the list may begin from its beginning. */
  onSearch: (text: string) => void
  /** The choices come into sight: those who list them late do it now. */
  onOpen?: () => void
  loading?: boolean
  problem?: Problem | null | undefined
  onRetry?: () => void
  nothingFound?: string
  /** Over the options, when there are more than are listed: '50 of 2,000: type to find others'. */
  more?: string | undefined
}

export type LookupFieldProps = FieldProps<string | null> & {
  lookup: Lookup
  /** The chosen one, whose label is shown also when the search does not find it. */
  selected: LookupOption | undefined
  clearable?: boolean
}

export type MultiLookupFieldProps = FieldProps<string[]> & { lookup: Lookup; selected: readonly LookupOption[] }

/** One of more choices than a list should load: what is typed is searched elsewhere. */
export function LookupField({ lookup, selected, clearable = false, value, onChange, ...props }: LookupFieldProps) {
  const { frame, input } = useField(props)
  const search = useLookupSearch({
    lookup,
    options: lookup.options,
    shown: selected?.label ?? '',
    onPick: (option) => onChange?.(option.value),
  })
  const { box, loaded, preload } = useLazyCombobox(search)
  const end =
    clearable && value && !props.disabled ? (
      <IconAction size="small" label="Clear" icon={<IconX size={14} />} onClick={() => onChange?.(null)} />
    ) : (
      <IconSelector size={16} />
    )
  return (
    <div ref={box}>
      <FieldFrame {...frame} end={end}>
        {loaded ? (
          <loaded.SingleCombobox anchor={box} lookup={lookup} selected={selected} search={search} input={input} />
        ) : (
          <RestingInput search={search} input={input} preload={preload} />
        )}
      </FieldFrame>
      <LookupFailure lookup={lookup} />
    </div>
  )
}

/** Several of them, shown as chips. */
export function MultiLookupField(props: MultiLookupFieldProps) {
  const { lookup, selected, value: _, onChange, ...field } = props
  const { frame, input } = useField(field)
  const chosen = selected.map((option) => option.value)
  const search = useLookupSearch({
    lookup,
    options: lookup.options.filter((option) => !chosen.includes(option.value)),
    shown: '',
    onPick: (option) => onChange?.([...chosen, option.value]),
  })
  const { box, loaded, preload } = useLazyCombobox(search)
  const hasChips = selected.length > 0
  const inputInBox = { ...input, className: hasChips ? styles.input : input.className }
  return (
    <div ref={box}>
      <FieldFrame {...frame} end={<IconSelector size={16} />}>
        {loaded ? (
          <loaded.MultiCombobox
            anchor={box}
            lookup={lookup}
            selected={selected}
            search={search}
            input={inputInBox}
            onChange={(options) => onChange?.(options.map((option) => option.value))}
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keyboard has the input
          <div
            className={hasChips ? styles.chips : undefined}
            data-disabled={props.disabled || undefined}
            onClick={(event) => {
              const removed = event.target instanceof HTMLElement ? event.target.dataset.remove : undefined
              if (removed === undefined) event.currentTarget.querySelector('input')?.focus()
              else onChange?.(chosen.filter((value) => value !== removed))
            }}
          >
            {selected.map((option) => (
              <span key={option.value} className={styles.chip}>
                {option.label}
                {!props.disabled && <span data-remove={option.value} />}
              </span>
            ))}
            <RestingInput search={search} input={inputInBox} preload={preload} />
          </div>
        )}
      </FieldFrame>
      <LookupFailure lookup={lookup} />
    </div>
  )
}

let loadedCombobox: typeof LookupCombobox | undefined

async function loadCombobox(): Promise<typeof LookupCombobox> {
  loadedCombobox ??= await import('./lookup-combobox.tsx')
  return loadedCombobox
}

/**
 * The list of choices weighs more than the rest of a form: it comes once the field is used, and stays. Another input stands
 * there then, which takes over the focus; what was typed is in useLookupSearch.
 */
function useLazyCombobox({ isOpen: isWanted, isTyped }: ReturnType<typeof useLookupSearch>) {
  const [loaded, setLoaded] = useState<typeof LookupCombobox>()
  const box = useRef<HTMLDivElement>(null)
  if (isWanted && !loaded && loadedCombobox) setLoaded(loadedCombobox)

  useLayoutEffect(() => {
    if (!isWanted || loaded) return
    let isLeft = false
    // Where it cannot be loaded the field stays as it is; the next use tries again.
    void loadCombobox().then(
      (module) => isLeft || setLoaded(module),
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [isWanted, loaded])

  useLayoutEffect(() => {
    const input = box.current?.querySelector('input')
    // Wanted for as long as the focus is in it.
    if (!loaded || !isWanted) return
    input?.focus()
    if (!isTyped) input?.select()
    // oxlint-disable-next-line react/exhaustive-deps -- only when it comes: later the browser moves the focus
  }, [loaded])

  return { box, loaded, preload: () => void loadCombobox().catch(() => undefined) }
}

type RestingInputProps = {
  search: ReturnType<typeof useLookupSearch>
  input: ReturnType<typeof useField>['input']
  preload: () => void
}

/** A lookup that nobody has touched yet: looks and is called as the whole one. */
function RestingInput({ search, input, preload }: RestingInputProps) {
  return (
    <input
      {...input}
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- what it controls is not there before it is expanded
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      autoComplete="off"
      value={search.text}
      onChange={(event) => search.type(event.currentTarget.value)}
      onKeyDown={search.onKeyDown}
      onPointerEnter={preload}
      onFocus={(event) => {
        input.onFocus?.(event)
        search.setOpen(true)
      }}
      onBlur={(event) => {
        input.onBlur?.(event)
        search.setOpen(false)
      }}
    />
  )
}
