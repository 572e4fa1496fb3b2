import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, optionalText, requiredText, timeText } from './fields.ts'
import { routes } from './routes.ts'

/** Of a passkey as browsers and the server send it to each other: WebAuthn's own JSON. */

const base64url = (label: string, max: number) => requiredText(label, max)

const transports = z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))

/** Which passkey a browser means. The specification of WebAuthn allows 1023 bytes. */
const credentialId = base64url('The id of the passkey', 1400)

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', 'This is not a passkey'),
}

const clientDataJSON = base64url('clientDataJSON', 4000)

const KnownPasskeySchema = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(transports),
})

/** What a browser needs to ask for a passkey. */
export const RequestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  /** Left out where any passkey of this site will do. */
  allowCredentials: z.optional(z.array(KnownPasskeySchema)),
})
export type RequestOptions = z.infer<typeof RequestOptionsSchema>

/** What a browser needs to make one. */
const CreationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(KnownPasskeySchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
})
export type CreationOptions = z.infer<typeof CreationOptionsSchema>

/** A new passkey, as a browser made it. */
const NewCredentialSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url('attestationObject', 20_000),
    transports: z.optional(transports),
  }),
})
export type NewCredential = z.output<typeof NewCredentialSchema>

/** What a browser has signed with one. */
export const SignedCredentialSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url('authenticatorData', 4000),
    signature: base64url('signature', 4000),
    userHandle: z.optional(z.string().check(z.maxLength(100))),
  }),
})
export type SignedCredential = z.output<typeof SignedCredentialSchema>

/** What the options were given with. */
export const passkeyChallenge = requiredText('The challenge', 200)

const PasskeySchema = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: timeText,
  lastUsedAt: z.nullable(timeText),
})
export type Passkey = z.infer<typeof PasskeySchema>

const MOST_OF_NAME = 60

export const passkeyEndpoints = {
  list: endpoint(routes.passkeys.list, { response: z.array(PasskeySchema) }),
  createOptions: endpoint(routes.passkeys.createOptions, { response: CreationOptionsSchema }),
  create: endpoint(routes.passkeys.create, {
    body: z.object({
      /** Of the options. */
      challenge: passkeyChallenge,
      /** Without one it is called after the browser that it was made in. */
      name: z.optional(optionalText('Name', MOST_OF_NAME)),
      credential: NewCredentialSchema,
    }),
    response: z.extend(PasskeySchema, {
      message: z.string(),
      /** With somebody's first second factor alone. */
      recoveryCodes: z.optional(z.array(z.string())),
    }),
  }),
  update: endpoint(routes.passkeys.update, {
    ifMatch: 'optional',
    body: z.object({ name: requiredText('Name', MOST_OF_NAME) }),
    response: z.extend(PasskeySchema, MessageSchema.shape),
  }),
  delete: endpoint(routes.passkeys.delete, { ifMatch: 'optional', response: MessageSchema }),
}
