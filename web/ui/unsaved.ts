import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/**
 * Tracks what was typed and not saved, so that leaving asks first. There is one list and one question for all forms, so
 * that each way out (a menu, Back, signing out, closing the dialog) asks in the same words, and once.
 */

/** `close` closes the form's dialog; a form that is part of a screen goes away with it and has none. */
type Unsaved = { close?: (() => void) | undefined }
type Question = { resolve: (isGivenUp: boolean) => void }

const unsaved = new Set<Unsaved>()
const { subscribe, notify } = createListeners()
let question: Question | undefined

/** Registers a form as unsaved while `isChanged`; pass `close` for a form in a dialog. */
export function useUnsaved(isChanged: boolean, close?: () => void): void {
  const latest = useRef(close)
  // The entry in the list outlives a render of the form, so it needs the latest `close`.
  useEffect(() => {
    latest.current = close
  })
  const isDialog = close !== undefined
  useEffect(() => {
    if (!isChanged) return
    const entry: Unsaved = isDialog ? { close: () => latest.current?.() } : {}
    unsaved.add(entry)
    notify()
    return () => {
      unsaved.delete(entry)
      // Saved while the question was open: there is nothing left to ask.
      if (unsaved.size === 0) answerQuestion(true)
      notify()
    }
  }, [isChanged, isDialog])
}

export function hasUnsaved({ inDialogs = false } = {}): boolean {
  return [...unsaved].some((entry) => !inDialogs || entry.close !== undefined)
}

export function useHasUnsaved(): boolean {
  return useSyncExternalStore(subscribe, () => hasUnsaved())
}

/**
 * Asks whether to discard what was typed. Resolves to true if so, after the dialogs that contain it have been closed. A
 * newer question replaces an open one, whose promise then never settles.
 */
export async function askToDiscard(): Promise<boolean> {
  const isGivenUp = await new Promise<boolean>((resolve) => {
    question = { resolve }
    notify()
  })
  if (isGivenUp) for (const entry of unsaved) entry.close?.()
  return isGivenUp
}

export function answerQuestion(isGivenUp: boolean): void {
  const asked = question
  question = undefined
  asked?.resolve(isGivenUp)
  notify()
}

export function isAsking(): boolean {
  return question !== undefined
}

export const subscribeToQuestion = subscribe
