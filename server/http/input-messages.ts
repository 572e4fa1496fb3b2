import type { z } from 'zod'

/**
 * Returns the message for input of a wrong kind, size or length, where a schema has none of its own: what no form sends, and
 * the programmer of a client has to learn. Undefined for other problems.
 */
export function toInputMessage(part: 'query' | 'body', issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  const name = issue.path?.join('.') || 'The body'
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small') return `${name} must ${toLimit(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `${name} may ${toLimit(issue.origin, 'at most', issue.maximum)}`
  if (issue.code !== 'invalid_type') return undefined
  if (input === undefined) return `${name} is required`
  if (part === 'query' && Array.isArray(input)) return `${name} is given twice`
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
