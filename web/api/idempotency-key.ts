/**
 * Returns the idempotency key of a request that creates something. The same request gets the same key until `forget` is
 * called, even after a reload, so that the server executes it once. The key is stored under a digest of the request,
 * which may contain a password.
 */
export async function keepIdempotencyKey(request: string): Promise<{ key: string; forget: () => void }> {
  const name = `idempotency-key ${await digest(request)}`
  const key = read(name) ?? createKey()
  write(name, key)
  return { key, forget: () => write(name, undefined) }
}

/** The keys in use; the only store when sessionStorage is not available. */
const inMemory = new Map<string, string>()

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const createKey = () => toHex(crypto.getRandomValues(new Uint8Array(16)))

/** Returns the text's SHA-256. Without HTTPS there is no `subtle`: returns the text, which stays in memory only. */
async function digest(text: string): Promise<string> {
  if (!('subtle' in crypto)) return text
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

function read(name: string): string | undefined {
  try {
    return inMemory.get(name) ?? window.sessionStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

function write(name: string, key: string | undefined): void {
  if (key === undefined) inMemory.delete(name)
  else inMemory.set(name, key)
  if (!('subtle' in crypto)) return
  try {
    if (key === undefined) window.sessionStorage.removeItem(name)
    else window.sessionStorage.setItem(name, key)
  } catch {
    // Storage may be forbidden or full.
  }
}
