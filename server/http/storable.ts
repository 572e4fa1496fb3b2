/** PostgreSQL takes every character but NUL; half of a surrogate pair is no character, and would be stored as another. */
const UNSTORABLE = /[\0\p{Surrogate}]/u

/**
 * The path of the first text in `value` that the database cannot keep as it is. Other control characters are kept: nobody
 * sees them, so nobody could remove them from what was pasted.
 */
export function findUnstorable(value: unknown): string | undefined {
  // Not by recursion: JSON may be as deep as it is long.
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
