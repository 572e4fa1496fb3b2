import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/** Requests that wait until the person has given their password again. */
let waiting: ((isConfirmed: boolean) => void)[] = []
const { subscribe, notify } = createListeners()

/** Asks for the password. Resolves to true when the person gave it, and to false when they cancelled. */
export function askForConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    notify()
  })
}

export function answerConfirmation(isConfirmed: boolean): void {
  const answered = waiting
  waiting = []
  notify()
  for (const resolve of answered) resolve(isConfirmed)
}

/** Gives up the requests that wait, without a word, when the person changes: nobody is asked for another's. */
export function forgetConfirmation(): void {
  waiting = []
  notify()
}

export function useIsConfirmationAsked(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0)
}
