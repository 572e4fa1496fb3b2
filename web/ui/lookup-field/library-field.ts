import type { KeyboardEvent } from 'react'
import { useCallback, useState } from 'react'
import { findLandmark } from '../dialog/overlay-root.ts'
import type { FieldProps } from '../field/field-frame.tsx'
import styles from './library-field.module.css'

/** What the library's own inputs (the comboboxes) take, so that they look like the fields of fields.tsx; each adds its onChange. */
export function toInputProps<Props extends Omit<FieldProps<never>, 'value' | 'onChange'>>(props: Props) {
  const { hint, autoFocus, ...rest } = props
  return {
    ...rest,
    ...(hint === undefined ? {} : { description: hint }),
    // A dialog looks for the attribute, a page for the property.
    ...(autoFocus ? { 'data-autofocus': true, autoFocus } : {}),
    classNames: fieldClassNames,
    inputWrapperOrder,
    onKeyDownCapture: takeActiveOption,
  }
}

/**
 * Enter takes the option that is announced. The library notes which one that is beside the page, and loses it when an
 * arrow key comes within a moment of the list's opening: Enter would then send the form.
 */
export function takeActiveOption(event: KeyboardEvent<HTMLInputElement>): void {
  if (!isEnter(event)) return
  const option = document.getElementById(event.currentTarget.getAttribute('aria-activedescendant') ?? '')
  if (!option) return
  keepFromForm(event)
  option.click()
}

/** Enter after typing takes the option that is announced, else the first that matches, and sends no form. */
export function takeMatch(event: KeyboardEvent<HTMLInputElement>): void {
  takeActiveOption(event)
  if (!isEnter(event) || event.isDefaultPrevented()) return
  keepFromForm(event)
  takeFirstOption(event.currentTarget)
}

/** False while the list is not drawn yet. */
export function takeFirstOption(input: HTMLInputElement): boolean {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  list?.querySelector<HTMLElement>('[role=option]:not([data-combobox-disabled])')?.click()
  return list !== null
}

export function isEnter({ key, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !nativeEvent.isComposing
}

export function keepFromForm(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

export const fieldClassNames = {
  root: styles.root ?? '',
  wrapper: styles.wrapper ?? '',
  label: styles.label ?? '',
  description: styles.hint ?? '',
  error: styles.error ?? '',
  input: styles.input ?? '',
}

/**
 * What the library's lists of choices need: the ref of their input and where the list is drawn. The list scrolls itself:
 * a box around it that scrolls would have to be reached by keyboard.
 */
export function useChoices() {
  const [landmark, setLandmark] = useState<HTMLElement>()
  const ref = useCallback((input: HTMLInputElement | null) => {
    if (input) setLandmark(findLandmark(input))
  }, [])
  const comboboxProps = {
    shadow: 'md',
    offset: 4,
    transitionProps: { duration: 0 },
    // A dialog cuts what is placed inside it.
    floatingStrategy: 'fixed' as const,
    ...(landmark && { portalProps: { target: landmark } }),
  }
  return { ref, comboboxProps, withScrollArea: false }
}
