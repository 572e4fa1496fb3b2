import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Lookup, LookupOption } from './lookup-field.tsx'

const SEARCH_DELAY_MS = 200

type LookupSearchOptions = {
  lookup: Lookup
  /** The options that can be picked. */
  options: readonly LookupOption[]
  /** The field's text while nothing is typed. */
  shown: string
  onPick: (option: LookupOption) => void
}

/**
 * Searches for what is typed into a lookup, after a pause. Enter takes the first match: it ends the pause and waits for
 * the response, so that it never takes a match for an earlier text.
 */
export function useLookupSearch({ lookup, options, shown, onPick }: LookupSearchOptions) {
  const [typed, setTyped] = useState<string>()
  const [sent, setSent] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  /** Enter was pressed while the response was still pending. */
  const isAwaited = useRef(false)
  const timer = useRef<number | undefined>(undefined)
  const query = typed?.trim() ?? ''
  const isAnswered = query === sent && !lookup.loading

  // A timer must not outlive the field.
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const takeAwaited = useEffectEvent(() => isAwaited.current && takeFirst())
  useEffect(() => {
    if (isAnswered) takeAwaited()
  }, [isAnswered])

  function takeFirst() {
    isAwaited.current = false
    const [first] = options
    if (!first) return
    onPick(first)
    setOpen(false)
  }

  function send(text: string) {
    window.clearTimeout(timer.current)
    if (text === sent) return
    setSent(text)
    lookup.onSearch(text)
  }

  function setOpen(open: boolean) {
    setIsOpen(open)
    if (open) return lookup.onOpen?.()
    setTyped(undefined)
    isAwaited.current = false
    send('')
  }

  function type(text: string) {
    setTyped(text)
    isAwaited.current = false
    if (!isOpen) setOpen(true)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => send(text.trim()), text.trim() === '' ? 0 : SEARCH_DELAY_MS)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || query === '') return
    // The list itself picks the highlighted option.
    if (isAnswered && event.currentTarget.hasAttribute('aria-activedescendant')) return
    // Enter must not submit the form.
    event.preventDefault()
    if (isAnswered) return takeFirst()
    isAwaited.current = true
    send(query)
  }

  return { text: typed ?? shown, isTyped: typed !== undefined, isOpen, setOpen, type, onKeyDown, options, onPick }
}
