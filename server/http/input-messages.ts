import type { z } from 'zod'
import type { FieldError } from '#contract/errors.ts'

/**
 * Returns one error for each field: the first, which is also what a form shows. Those that follow at the same field may
 * contradict it, such as ‘is required’ for a list where text is expected.
 */
export function toFieldErrors(
  part: 'query' | 'body',
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): FieldError[] {
  const messages = new Map<string, string>()
  for (const issue of issues) {
    const path = issue.path.join('.')
    if (!messages.has(path))
      messages.set(path, isGivenTwice(part, value, path) ? `${path} is given twice` : issue.message)
  }
  return [...messages].map(([path, message]) => ({ path, message }))
}

/** Whether a parameter is given more than once, which the framework turns into a list. */
function isGivenTwice(part: 'query' | 'body', value: unknown, name: string): boolean {
  return part === 'query' && Array.isArray((value as Record<string, unknown>)[name]) // a query is an object
}

/**
 * Returns the message for input of a wrong kind, size or length, where a schema has none of its own: what no form sends, and
 * the programmer of a client has to learn. Undefined for other problems.
 */
export function toInputMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  const name = issue.path?.join('.') || 'The body'
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small') return `${name} must ${toLimit(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `${name} may ${toLimit(issue.origin, 'at most', issue.maximum)}`
  if (issue.code !== 'invalid_type') return undefined
  if (input === undefined) return `${name} is required`
  return `${name} must be ${kinds[issue.expected] ?? issue.expected}`
}

function toLimit(origin: string, bound: string, limit: number | bigint): string {
  const counted = { array: 'entries', string: 'characters' }[origin]
  return counted ? `have ${bound} ${limit} ${counted}` : `be ${bound} ${limit}`
}

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
