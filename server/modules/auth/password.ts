import { hash, verify } from '@node-rs/argon2'

/** argon2id: 19 MiB, two passes, one lane (OWASP's smallest recommended set). */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } // algorithm: argon2id is the library's default

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

/** Of no password at all: what an unknown email address is compared with, so that it takes as long as a known one. */
let dummyHash: Promise<string> | undefined

export async function isPasswordOf(storedHash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no one has this password')
  const matches = await verify(storedHash ?? (await dummyHash), password)
  return storedHash !== undefined && matches
}
