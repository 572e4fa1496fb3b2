import { useEffect, useRef } from 'react'

/**
 * What was typed and not saved, wherever it stands: who leaves asks first. One list and one question for all forms, so
 * that each way out (a menu, Back, signing out, closing the dialog) asks in the same words, and once.
 */

/** `close` gives it up; what stands in a screen itself goes with the screen and has none. */
type Unsaved = { close?: (() => void) | undefined }
type Question = { resolve: (isGivenUp: boolean) => void }

const unsaved = new Set<Unsaved>()
const listeners = new Set<() => void>()
let question: Question | undefined

/** Marks a form as changed; `close` for a form in a dialog. */
export function useUnsaved(isChanged: boolean, close?: () => void): void {
  const latest = useRef(close)
  // The list outlives a drawing of the form.
  useEffect(() => {
    latest.current = close
  })
  const isDialog = close !== undefined
  useEffect(() => {
    if (!isChanged) return
    const entry: Unsaved = isDialog ? { close: () => latest.current?.() } : {}
    unsaved.add(entry)
    return () => {
      unsaved.delete(entry)
      // Saved while the question stood: nothing is left to ask.
      if (unsaved.size === 0) answerQuestion(true)
    }
  }, [isChanged, isDialog])
}

export function hasUnsaved({ inDialogs = false } = {}): boolean {
  return [...unsaved].some((entry) => !inDialogs || entry.close !== undefined)
}

/** True once the person gives up what was typed; dialogs that hold it are closed then. A newer question replaces one that stands, which is never answered. */
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

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify() {
  for (const listener of listeners) listener()
}
