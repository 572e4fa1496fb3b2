import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { toCountText } from '#web/lib/format.ts'
import { IconAction } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import { IconSelector, IconX } from '../icons/icons.tsx'
import { NOT_LOADED } from '../lazy-part/lazy-part.tsx'
import type { Problem } from '../problem.ts'
import { showFailure } from '../toasts/toasts.ts'
import { toChipText } from './chip-text.ts'
import type * as LookupCombobox from './lookup-combobox.tsx'
import { LookupFailure } from './lookup-failure.tsx'
import styles from './lookup-field.module.css'
import { useLookupSearch } from './use-lookup-search.ts'

export type LookupOption = {
  value: string
  label: string
  /** A second, less prominent line. */
  detail?: string
  /** Shown at the left of the text. */
  image?: ReactNode
}

/** The search over all choices, and what it has found so far. */
export type Lookup = {
  options: readonly LookupOption[]
  /** Called with the typed text after a pause, and with '' to list from the beginning again. */
  onSearch: (text: string) => void
  /** Called when the list opens, for lookups that load their choices only then. */
  onOpen?: () => void
  loading?: boolean
  problem?: Problem | null | undefined
  onRetry?: () => void
  nothingFound?: string
  /** Shown above the options when not all are listed: '50 of 2,000: type to find others'. */
  more?: string | undefined
  /** To choose everything that was found, listed or not, in a field for several; undefined when that is not offered. */
  all?: { count: number; isPending: boolean; choose: () => void } | undefined
}

export type LookupFieldProps = FieldProps<string | null> & {
  lookup: Lookup
  /** The chosen option, whose label is shown even when the search does not find it. */
  selected: LookupOption | undefined
  clearable?: boolean
}

type MultiLookupFieldProps = FieldProps<string[]> & { lookup: Lookup; selected: readonly LookupOption[] }

/** Field to choose one of more options than a list should load; `lookup` searches for what is typed. */
export function LookupField({ lookup, selected, clearable = false, value, onChange, ...props }: LookupFieldProps) {
  // Others may have the same label. A field without a visible label has no room below it either.
  const { frame, input } = useField({ ...props, hint: props.hint || (!props.hideLabel && selected?.detail) })
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

/** More chips than this scroll, so the field says how many there are, and removes all of them at once. */
const FEW_CHIPS = 5

/** Like LookupField, but for several options, which are shown as chips. */
export function MultiLookupField(props: MultiLookupFieldProps) {
  const { lookup, selected, value: _, onChange, ...field } = props
  const chosen = selected.map((option) => option.value)
  const count = toChosenText(chosen.length, lookup)
  const { frame, input } = useField({ ...field, hint: field.hint || (count && <output>{count}</output>) })
  const search = useLookupSearch({
    lookup,
    options: lookup.options.filter((option) => !chosen.includes(option.value)),
    shown: '',
    onPick: (option) => onChange?.([...chosen, option.value]),
  })
  const { box, loaded, preload } = useLazyCombobox(search)
  const hasChips = selected.length > 0
  const isMany = selected.length > FEW_CHIPS
  const inputInBox = {
    ...input,
    className: hasChips ? classNames(styles.input, isMany && styles.lastLine) : input.className,
  }
  const end =
    isMany && !props.disabled ? (
      <IconAction size="small" label="Remove all" icon={<IconX size={14} />} onClick={() => onChange?.([])} />
    ) : (
      <IconSelector size={16} />
    )
  return (
    <div ref={box}>
      <FieldFrame {...frame} end={end}>
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
            onClick={(event) => {
              const removed = event.target instanceof HTMLElement ? event.target.dataset.remove : undefined
              if (removed === undefined) event.currentTarget.querySelector('input')?.focus()
              else onChange?.(chosen.filter((value) => value !== removed))
            }}
          >
            {selected.map((option) => (
              <span key={option.value} className={styles.chip} title={toChipText(option)}>
                {toChipText(option)}
                <span data-remove={option.value} />
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

function toChosenText(chosen: number, { all }: Lookup): string | false {
  if (all?.isPending) return `Adding ${toCountText(all.count)}…`
  return chosen > FEW_CHIPS && `${toCountText(chosen)} chosen`
}

let loadedCombobox: typeof LookupCombobox | undefined

async function loadCombobox(): Promise<typeof LookupCombobox> {
  loadedCombobox ??= await import('./lookup-combobox.tsx')
  return loadedCombobox
}

/**
 * Loads the combobox once the field is used, as it is larger than the rest of a form. Its input then replaces the plain
 * one and takes over the focus; useLookupSearch keeps what was typed.
 */
function useLazyCombobox({ isOpen: isWanted, isTyped }: ReturnType<typeof useLookupSearch>) {
  const [loaded, setLoaded] = useState<typeof LookupCombobox>()
  const box = useRef<HTMLDivElement>(null)
  if (isWanted && !loaded && loadedCombobox) setLoaded(loadedCombobox)

  useLayoutEffect(() => {
    if (!isWanted || loaded) return
    let isLeft = false
    // If it cannot be loaded the field stays as it is, and the next use tries again.
    void loadCombobox().then(
      (module) => isLeft || setLoaded(module),
      () => showFailure(NOT_LOADED),
    )
    return () => {
      isLeft = true
    }
  }, [isWanted, loaded])

  useLayoutEffect(() => {
    const input = box.current?.querySelector('input')
    // `isWanted` is true for as long as the field has the focus.
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

/** The input before the combobox is loaded. It looks the same, and has the same role and name. */
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
