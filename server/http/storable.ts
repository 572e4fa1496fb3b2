/**
 * PostgreSQL stores every character but NUL; a lone surrogate is not a character, and would be stored as another one.
 */
const UNSTORABLE = /[\0\p{Surrogate}]/u

const MOST_OF_PATH = 200

/** A value within another one, under a key. The path is only made of these when a text is found. */
type Place = { value: unknown; key: string | number; within: Place | undefined }

/**
 * Returns the path of the first text in `value` that the database cannot store unchanged; undefined when there is none.
 * Other control characters are allowed: nobody sees them, so nobody could remove them from what was pasted.
 */
export function findUnstorable(value: unknown): string | undefined {
  // Not recursive, because JSON may be nested as deep as it is long. It may also hold half a million values.
  const pending: Place[] = [{ value, key: '', within: undefined }]
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { value } = place
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) return toPath(place)
    } else if (Array.isArray(value)) {
      for (let key = value.length - 1; key >= 0; key -= 1) add(value[key], key, place)
    } else {
      for (const [key, child] of Object.entries(value ?? {}).reverse()) add(child, key, place)
    }
  }
  return undefined

  function add(child: unknown, key: string | number, within: Place): void {
    if (typeof child === 'string' || typeof child === 'object') pending.push({ value: child, key, within })
  }
}

function toPath(place: Place): string {
  const keys: (string | number)[] = []
  for (let at = place; at.within; at = at.within) keys.push(at.key)
  return keys.reverse().join('.').slice(0, MOST_OF_PATH)
}
