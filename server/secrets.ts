import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/** Encrypts and decrypts small texts that are stored in the database (rules §5.4). */
export type SecretBox = {
  hasKey: boolean
  seal(text: string): string
  open(sealed: string): string
}

/** Whether decrypting the stored text needs a key. */
export const isSealed = (stored: string) => !stored.startsWith('v0:')

/**
 * Creates a box that seals, with a key, by AES-256-GCM: `v1:` + base64 of nonce, tag and text. Without a key (never in
 * production) it only marks the text: `v0:` + the text.
 */
export function createSecretBox(secretKey: string | undefined): SecretBox {
  const key = secretKey === undefined ? undefined : scryptSync(secretKey, 'podkeeper device passwords', 32)
  return {
    hasKey: key !== undefined,
    seal(text) {
      if (!key) return `v0:${text}`
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1:${Buffer.concat([nonce, cipher.getAuthTag(), data]).toString('base64')}`
    },
    open(sealed) {
      if (!isSealed(sealed)) return sealed.slice(3)
      if (!key) throw new Error('A sealed secret cannot be opened without SECRET_KEY')
      const bytes = Buffer.from(sealed.slice(3), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
