import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import { IconSelector } from '../icons/icons.tsx'
import { LookupFailure } from './lookup-failure.tsx'
import type { Lookup, LookupOption } from './lookup-field.tsx'
import type * as LookupFieldInner from './lookup-field-inner.tsx'
import styles from './lookup-field-rest.module.css'

/**
 * A lookup that nobody has touched: an input that looks and is called as the whole one. The list of choices, its search
 * and its place on the page weigh 30 kB and more drawing than the rest of a form: they come when the field is used.
 */

type Inner = typeof LookupFieldInner
let loadedInner: Inner | undefined

async function loadInner(): Promise<Inner> {
  loadedInner ??= await import('./lookup-field-inner.tsx')
  return loadedInner
}

/** The whole field once it is wanted and there; the focus, and what was typed meanwhile, go over to it. */
export function useAwakening(isNeeded: boolean, lookup: Lookup) {
  const [isTouched, setTouched] = useState(false)
  const [loaded, setLoaded] = useState(loadedInner)
  const [typed, setTyped] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const isWanted = isNeeded || isTouched
  const inner = isWanted ? loaded : undefined
  const isAwake = inner !== undefined

  // It may be needed from the start, and is then fetched without a touch.
  useEffect(() => {
    if (!isWanted || loaded) return
    let isLeft = false
    void loadInner().then((module) => isLeft || setLoaded(module))
    return () => {
      isLeft = true
    }
  }, [isWanted, loaded])

  // Another input stands there now; to whoever is in it, it must be the same one.
  useLayoutEffect(() => {
    const input = box.current?.querySelector('input')
    if (!isAwake || !hasFocus.current || !input) return
    hasFocus.current = false
    input.focus()
    if (typed === undefined) input.select()
  }, [isAwake, typed])

  const rest = {
    typed,
    onTyped: (text: string) => {
      setTyped(text)
      setEntered(false)
      lookup.onSearch(text.trim())
    },
    onEnter: () => {
      setEntered(true)
      lookup.onOpen?.()
    },
    onTouch: () => {
      hasFocus.current = true
      setTouched(true)
      setLoaded(loadedInner)
    },
    onLeave: () => {
      hasFocus.current = false
    },
  }
  return { box, inner, awakened: { typed, isEntered }, rest }
}

type RestingLookupProps = FieldProps<never> & {
  lookup: Lookup
  chosen?: string | undefined
  /** Of several, the chosen ones; each is removed by a click on its cross, or by Backspace once the field is used. */
  pills?: readonly LookupOption[]
  onRemove?: (value: string) => void
  clearable?: boolean
  typed: string | undefined
  onTyped: (text: string) => void
  /** Enter, after something was typed. */
  onEnter: () => void
  onTouch: () => void
  onLeave: () => void
}

export function RestingLookup(props: RestingLookupProps) {
  const {
    lookup,
    chosen = '',
    pills = [],
    onRemove,
    clearable: _,
    typed,
    onTyped,
    onEnter,
    onTouch,
    onLeave,
    ...field
  } = props
  const { frame, input } = useField(field)
  const control = (
    <input
      {...input}
      className={pills.length > 0 ? styles.input : input.className}
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- what it controls is not there before it is expanded
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      autoComplete="off"
      value={typed ?? chosen}
      onChange={(event) => onTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !typed?.trim()) return
        // Not for the form: the whole field takes the first match as soon as it is there.
        event.preventDefault()
        onEnter()
      }}
      onPointerEnter={() => void loadInner()}
      onFocus={(event) => {
        field.onFocus?.(event)
        onTouch()
      }}
      onBlur={(event) => {
        field.onBlur?.(event)
        onLeave()
      }}
    />
  )
  return (
    <>
      <FieldFrame {...frame} end={<IconSelector size={16} />}>
        {pills.length === 0 ? (
          control
        ) : (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keyboard has the input
          <div
            className={styles.pills}
            data-disabled={field.disabled || undefined}
            onClick={(event) => {
              const removed = event.target instanceof HTMLElement ? event.target.dataset.remove : undefined
              if (removed === undefined) event.currentTarget.querySelector('input')?.focus()
              else onRemove?.(removed)
            }}
          >
            {pills.map(({ value, label }) => (
              <span key={value} className={styles.pill}>
                {label}
                {!field.disabled && <span data-remove={value} />}
              </span>
            ))}
            {control}
          </div>
        )}
      </FieldFrame>
      <LookupFailure lookup={lookup} />
    </>
  )
}
