/**
 * The key of a request that creates something: the same for as long as the same is sent without a response, also after a
 * reload, so that the server does it once. It is kept under a digest of the request, as that may hold a password.
 */
export async function keepIdempotencyKey(request: string): Promise<{ key: string; forget: () => void }> {
  const name = `idempotency-key ${await digest(request)}`
  const key = read(name) ?? createKey()
  write(name, key)
  return { key, forget: () => write(name, undefined) }
}

/** Where nothing can be kept over a reload. */
const inMemory = new Map<string, string>()

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const createKey = () => toHex(crypto.getRandomValues(new Uint8Array(16)))

/** Pages that came without encryption have no digests: the request itself is then kept, in memory alone. */
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
