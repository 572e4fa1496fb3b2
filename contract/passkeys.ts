import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, optionalText, requiredText, timeText } from './fields.ts'
import { routes } from './routes.ts'

/** Passkeys as browsers and the server exchange them, in WebAuthn's own JSON format. */

const transports = z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))

/** Identifies a passkey. The WebAuthn specification allows 1023 bytes. */
const credentialId = requiredText('The id of the passkey', 1400)

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', 'This is not a passkey'),
}

const clientDataJSON = requiredText('clientDataJSON', 4000)

const KnownPasskeySchema = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(transports),
})

/** The options a browser needs to ask for a passkey. */
export const RequestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  /** Absent when any passkey of this site is accepted. */
  allowCredentials: z.optional(z.array(KnownPasskeySchema)),
})
export type RequestOptions = z.infer<typeof RequestOptionsSchema>

/** The options a browser needs to create a passkey. */
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

/** A new passkey, as created by a browser. */
const NewCredentialSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: requiredText('attestationObject', 20_000),
    transports: z.optional(transports),
  }),
})
export type NewCredential = z.output<typeof NewCredentialSchema>

/** A challenge that a browser has signed with a passkey. */
export const SignedCredentialSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: requiredText('authenticatorData', 4000),
    signature: requiredText('signature', 4000),
    userHandle: z.optional(z.string().check(z.maxLength(100))),
  }),
})
export type SignedCredential = z.output<typeof SignedCredentialSchema>

/** The challenge from the options. */
export const passkeyChallenge = requiredText('The challenge')

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
      /** The challenge from the options. */
      challenge: passkeyChallenge,
      /** When absent, the passkey is named after the browser in which it was created. */
      name: z.optional(optionalText('Name', MOST_OF_NAME)),
      credential: NewCredentialSchema,
    }),
    response: z.extend(PasskeySchema, {
      message: z.string(),
      /** Present only when this is the person's first second factor. */
      recoveryCodes: z.optional(z.array(z.string())),
    }),
  }),
  update: endpoint(routes.passkeys.update, {
    ifMatch: 'unused',
    body: z.object({ name: requiredText('Name', MOST_OF_NAME) }),
    response: z.extend(PasskeySchema, MessageSchema.shape),
  }),
  delete: endpoint(routes.passkeys.delete, { ifMatch: 'unused', response: MessageSchema }),
}
