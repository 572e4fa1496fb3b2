import { ApiError } from './api-error.ts'

/** The messages of a form that could not be saved: those next to its fields, and a summary of the others on top. */
type FormErrors<Field extends string> = {
  fields: Partial<Record<Field, string>>
  summary: string | undefined
}

/**
 * Distributes an error over the fields of a form. The server names a field by its path in the body (`images.0.url`);
 * its message belongs to the field with that name or, failing that, with the path's first part. `labels` replaces the
 * field names in messages.
 */
export function toFormErrors<Field extends string>(
  error: unknown,
  known: readonly Field[],
  labels: Partial<Record<string, string>> = {},
): FormErrors<Field> {
  const message = error instanceof Error ? error.message : 'Something went wrong. Please try again.'
  if (!(error instanceof ApiError) || error.fields.length === 0) return { fields: {}, summary: message }
  const fields: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const problem of error.fields) {
    const { path } = problem
    const field = known.find((name) => name === path) ?? known.find((name) => name === path.split('.')[0])
    if (field === undefined) others.push(problem.message)
    else fields[field] ??= toLabelled(problem.message, field, labels[field])
  }
  return { fields, summary: others.length === 0 ? undefined : others.join(' ') }
}

/** Messages begin with a label or, where forms call a field differently, with its name. */
function toLabelled(message: string, field: string, label = field): string {
  return message.startsWith(field) ? label + message.slice(field.length) : message
}
