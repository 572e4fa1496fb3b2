import type { ReactNode } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import type { ComparedField } from '#web/ui/compare-fields/compare-fields.tsx'

/** What a form that edits a record has to know, should somebody else change the record meanwhile (rules §22.7). */
export type EditedRecord<Values, Current extends { version: number }> = {
  /** As it was opened. */
  record: Current
  toValues: (record: Current) => Values
  labels: Record<keyof Values & string, string>
  /** A value for people to read, where it does not stand as it is. */
  show?: (name: keyof Values & string, values: Values) => ReactNode
  /** What the form shows that its values do not hold. */
  others?: { read: () => Partial<Values>; write: (values: Values) => void }
}

type Choice = ComparedField['choice']

/** The record as two people want it, until one of the two is chosen for each field. */
export type Conflict<Values, Current> = {
  /** As it is stored now. */
  record: Current
  yours: Values
  theirs: Values
  choices: Readonly<Record<string, Choice>>
  /** It was to be saved with something still to be chosen. */
  isAsked: boolean
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'record_changed'
}

/** Undefined of any other failure. */
export function findConflict<Values extends object, Current extends { version: number }>(
  error: unknown,
  { record, toValues }: EditedRecord<Values, Current>,
  yours: Values,
): Conflict<Values, Current> | undefined {
  if (!isConflict(error)) return undefined
  const current = error.current as Current // the record of the request, as the API shows it
  const [opened, theirs] = [toValues(record), toValues(current)]
  const names = Object.keys(theirs) as (keyof Values & string)[] // of an object that holds nothing else
  const choices = names
    .filter((name) => !isSame(yours[name], theirs[name]))
    .map((name): [string, Choice] => {
      if (isSame(theirs[name], opened[name])) return [name, 'yours']
      return [name, isSame(yours[name], opened[name]) ? 'theirs' : undefined]
    })
  return { record: current, yours, theirs, choices: Object.fromEntries(choices), isAsked: false }
}

/** A number field may hold the same number as text. */
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

/** Theirs, with what is kept of yours. */
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
  // The choices are named by the fields.
  return (Object.keys(choices) as (keyof Values & string)[]).map((name) => ({
    name,
    label: labels[name],
    yours: toShown(name, yours),
    theirs: toShown(name, theirs),
    choice: choices[name],
    error: isAsked && choices[name] === undefined ? 'Both of you have changed this. Choose one.' : undefined,
  }))
}
