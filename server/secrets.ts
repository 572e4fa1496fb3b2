import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto'

/** Keeps small texts that are stored in the database from whoever has a copy of it, but not the key (rules §5.4). */
export type SecretBox = {
  hasKey: boolean
  seal(text: string): string
  open(sealed: string): string
  /** Hashes a text that is only compared. Its key takes as long to guess as the one that seals. */
  hash(text: string): Buffer
  /** Whether the text is sealed as `seal` does it. */
  isCurrent(sealed: string): boolean
  /** Makes `seal` and `hash` do it from now on as this text was sealed. */
  sealAs(sealed: string): void
}

type Version = keyof typeof costs

const SALT = 'podkeeper device passwords'
/** What each guess at SECRET_KEY costs: v1 16 MiB, as earlier releases had it; v2 128 MiB, as OWASP recommends. */
const costs = { v1: { N: 2 ** 14, r: 8, p: 1 }, v2: { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 } }

/**
 * Creates a box that seals, with a key, by AES-256-GCM: `v2:` + base64 of nonce, tag and text. Without a key (never in
 * production) it only marks the text: `v0:` + the text. Keys are derived when they are first used.
 */
export function createSecretBox(secretKey: string | undefined): SecretBox {
  let current: Version = 'v2'
  const derived = new Map<Version, Buffer>()
  const toKeys = (version: Version) => {
    if (secretKey === undefined) throw new Error('A sealed secret cannot be opened without SECRET_KEY')
    const keys = derived.get(version) ?? scryptSync(secretKey, SALT, 64, costs[version])
    derived.set(version, keys)
    return { toSeal: keys.subarray(0, 32), toHash: version === 'v1' ? secretKey : keys.subarray(32) }
  }
  return {
    hasKey: secretKey !== undefined,
    seal(text) {
      if (secretKey === undefined) return `v0:${text}`
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', toKeys(current).toSeal, nonce)
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${current}:${Buffer.concat([nonce, cipher.getAuthTag(), data]).toString('base64')}`
    },
    open(sealed) {
      if (sealed.startsWith('v0:')) return sealed.slice(3)
      const bytes = Buffer.from(sealed.slice(3), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', toKeys(toVersion(sealed)).toSeal, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    hash: (text) =>
      createHmac('sha256', secretKey === undefined ? '' : toKeys(current).toHash)
        .update(text)
        .digest(),
    isCurrent: (sealed) => sealed.startsWith(secretKey === undefined ? 'v0:' : `${current}:`),
    sealAs(sealed) {
      current = toVersion(sealed)
    },
  }
}

const toVersion = (sealed: string): Version => (sealed.startsWith('v1:') ? 'v1' : 'v2')
