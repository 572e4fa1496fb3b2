import type { ReactNode } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import { isLost } from '#web/api/retry.ts'
import type { ComparedField } from '#web/ui/compare-fields/compare-fields.tsx'

/** What a form needs to resolve a conflict, if somebody else changes its record meanwhile (rules §22.7). */
export type EditedRecord<Values, Current extends { version: number }> = {
  /** The record as it was when the form was opened. */
  record: Current
  toValues: (record: Current) => Values
  labels: Record<keyof Values & string, string>
  /** Converts the values to what is stored of them. Absent when they hold nothing else, such as the keys of rows. */
  toStored?: (values: Values) => Record<keyof Values & string, unknown>
  /** Formats a value for display; undefined for values that are readable as they are. */
  show?: (name: keyof Values & string, values: Values) => ReactNode
  /** Fields that the form shows but that are not among its values. */
  others?: { read: () => Partial<Values>; write: (values: Values) => void }
}

type Choice = ComparedField['choice']

/** Two people's versions of a record, until one of them is chosen for each field. */
export type Conflict<Values, Current> = {
  /** The record as it is stored now. */
  record: Current
  yours: Values
  theirs: Values
  choices: Readonly<Record<string, Choice>>
  /** Saving was tried while a choice was still missing. */
  isAsked: boolean
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'record_changed'
}

/**
 * Awaits a change without values to compare, such as a deletion. If somebody else has changed the record, reloads it and
 * says what to do: the open question is about the record as it was. Reloads it too if only the response may be lost.
 */
export async function orReload<T>(change: Promise<T>, reload: () => unknown): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (isConflict(error) || isLost(error)) void reload()
    if (!isConflict(error)) throw error
    throw new Error('Somebody else has changed this meanwhile. Close this, look at it as it is now, and try again.', {
      cause: error,
    })
  }
}

/** Returns the conflict that an error reports; undefined for any other error. */
export function findConflict<Values extends object, Current extends { version: number }>(
  error: unknown,
  { record, toValues, toStored = (values) => values }: EditedRecord<Values, Current>,
  yours: Values,
): Conflict<Values, Current> | undefined {
  if (!isConflict(error)) return undefined
  const current = error.current as Current // the stored record, which the API sends with this error
  const theirs = toValues(current)
  const [old, own, other] = [toStored(toValues(record)), toStored(yours), toStored(theirs)]
  const names = Object.keys(theirs) as (keyof Values & string)[] // the object has no other keys
  const choices = names
    .filter((name) => !isSame(own[name], other[name]))
    .map((name): [string, Choice] => {
      if (isSame(other[name], old[name])) return [name, 'yours']
      return [name, isSame(own[name], old[name]) ? 'theirs' : undefined]
    })
  return { record: current, yours, theirs, choices: Object.fromEntries(choices), isAsked: false }
}

/** Compares as text, since a number field may hold a number as text. */
function isSame(a: unknown, b: unknown): boolean {
  return toText(a) === toText(b)
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function isChosen<Values, Current>({ choices }: Conflict<Values, Current>): boolean {
  return Object.values(choices).every((choice) => choice !== undefined)
}

/** Returns `theirs`, with the fields of `yours` that were chosen. */
export function toMerged<Values extends object, Current>({
  yours,
  theirs,
  choices,
}: Conflict<Values, Current>): Values {
  const kept = Object.entries(yours).filter(([name]) => choices[name] === 'yours')
  return { ...theirs, ...Object.fromEntries(kept) }
}

export function toComparedFields<Values extends object, Current extends { version: number }>(
  { yours, theirs, choices, isAsked }: Conflict<Values, Current>,
  { labels, show }: EditedRecord<Values, Current>,
): ComparedField[] {
  const toShown = (name: keyof Values & string, values: Values) => {
    const shown = show?.(name, values) ?? toText(values[name])
    return shown === '' ? 'Empty' : shown
  }
  // The keys of `choices` are names of fields.
  return (Object.keys(choices) as (keyof Values & string)[]).map((name) => ({
    name,
    label: labels[name],
    yours: toShown(name, yours),
    theirs: toShown(name, theirs),
    choice: choices[name],
    error: isAsked && choices[name] === undefined ? 'Both of you have changed this. Choose one.' : undefined,
  }))
}
