import { createHash, generateKeyPairSync, randomBytes, sign as signBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Insertable } from 'kysely'
import type { CreationOptions, NewCredential, RequestOptions, SignedCredential } from '#contract/passkeys.ts'
import type { Db } from '../db/client.ts'
import type { Database } from '../db/schema.ts'
import { createId } from '../ids.ts'
import { TEST_NOW } from './test-app.ts'

/** The portal's origin in tests. */
const ORIGIN = 'http://localhost:4000'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const flags = { present: 0x01, verified: 0x04, withKey: 0x40 }

type Signing = {
  origin?: string
  counter?: number
  isVerified?: boolean
  userHandle?: string | undefined
  type?: string
}

/**
 * Creates an authenticator with one passkey, as a browser presents it: it creates keys and signs, in the formats of
 * WebAuthn.
 */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  // COSE: an elliptic curve key (1: 2) for ES256 (3: -7) on P-256 (-1: 1).
  const coseKey = Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    ),
  )
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  let owner: string | undefined
  let uses = 0

  const toClientData = (type: string, challenge: string, origin = ORIGIN) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function toAuthenticatorData(rpId: string, flag: number, counter: number, key = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flag]), count, key])
  }

  return {
    credentialId,
    publicKey: coseKey,
    /** Sets the owner of a passkey that was not created by `make`. */
    belongTo(staffId: string) {
      owner = Buffer.from(staffId).toString('base64url')
    },
    make(
      options: CreationOptions,
      { origin, isVerified = true, type = 'webauthn.create' }: Signing = {},
    ): NewCredential {
      owner = options.user.id
      const flag = flags.present | flags.withKey | (isVerified ? flags.verified : 0)
      const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
      const authData = new Uint8Array(toAuthenticatorData(options.rp.id, flag, uses, key))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])) // it can be encoded
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: toClientData(type, options.challenge, origin).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign(
      { challenge, rpId }: Pick<RequestOptions, 'challenge' | 'rpId'>,
      { origin, counter = ++uses, isVerified = true, userHandle = owner, type = 'webauthn.get' }: Signing = {},
    ): SignedCredential {
      const flag = flags.present | (isVerified ? flags.verified : 0)
      const authenticatorData = toAuthenticatorData(rpId, flag, counter)
      const clientData = toClientData(type, challenge, origin)
      const signature = signBytes('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle,
        },
      }
    },
  }
}

/** Inserts a passkey; returns its id, and the authenticator that has its private key. */
export async function buildPasskey(db: Db, staffId: string, overrides: Partial<Insertable<Database['passkeys']>> = {}) {
  const authenticator = createAuthenticator()
  authenticator.belongTo(staffId)
  const row = {
    id: createId(),
    staff_id: staffId,
    name: 'Chrome on Windows',
    credential_id: authenticator.credentialId,
    public_key: authenticator.publicKey,
    counter: 0,
    transports: ['internal'],
    created_at: TEST_NOW,
    ...overrides,
  }
  await db.insertInto('passkeys').values(row).execute()
  return { _id: row.id, authenticator }
}
