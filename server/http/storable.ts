/**
 * PostgreSQL stores every character but NUL; a lone surrogate is not a character, and would be stored as another one.
 */
const UNSTORABLE = /[\0\p{Surrogate}]/u

/**
 * Returns the path of the first text in `value` that the database cannot store unchanged; undefined when there is none.
 * Other control characters are allowed: nobody sees them, so nobody could remove them from what was pasted.
 */
export function findUnstorable(value: unknown): string | undefined {
  // Not recursive, because JSON may be nested as deep as it is long.
  const pending: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && UNSTORABLE.test(value)) return path
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const [key, child] = entries[at] ?? ['', undefined]
      pending.push({ value: child, path: path === '' ? key : `${path}.${key}` })
    }
  }
  return undefined
}
