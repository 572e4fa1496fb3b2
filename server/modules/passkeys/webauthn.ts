import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CreationOptions, NewCredential, RequestOptions, SignedCredential } from '#contract/passkeys.ts'
import { type Config, toPortalUrl } from '#server/config.ts'

/** What browsers and authenticators say of passkeys, by the library that knows it. Nothing here reads the database. */

type Settings = Pick<Config, 'publicUrl' | 'host' | 'port' | 'productName'>

/** A passkey as it is stored. */
export type StoredPasskey = { credential_id: string; public_key: Buffer; counter: number; transports: string[] }

/** How long a challenge waits for its response. */
export const CHALLENGE_FOR_MS = 5 * 60_000

/** EdDSA, ES256 and RS256, which any browser and any Node know; the library's own list depends on the version of Node. */
const algorithms = [-8, -7, -257]

/** With the first passkey: it takes half a second and 30 MB, which a server without passkeys does not need. */
const loadLibrary = () => import('@simplewebauthn/server')

/** Who somebody is to their authenticators. */
const toUserHandle = (staffId: string) => Buffer.from(staffId)

/** Passkeys are bound to the portal's address, of which a request says nothing. */
function toSite(config: Settings) {
  const { origin, hostname } = new URL(toPortalUrl(config))
  return { expectedOrigin: origin, expectedRPID: hostname }
}

type Known = Pick<StoredPasskey, 'credential_id' | 'transports'>
type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

// Browsers pass over transports that they do not know: WebAuthn keeps them as texts.
const toKnown = ({ credential_id, transports }: Known) => ({
  id: credential_id,
  transports: transports as Transport[],
})

/** Of those who can sign in without anything else: found without an email address, and the authenticator asks who it is. */
export async function toCreationOptions(
  config: Settings,
  staff: { _id: string; email: string; name: string },
  challenge: string,
  known: readonly Known[],
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: config.productName,
    rpID: toSite(config).expectedRPID,
    userID: toUserHandle(staff._id),
    userName: staff.email,
    userDisplayName: staff.name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_FOR_MS,
    attestationType: 'none',
    excludeCredentials: known.map(toKnown),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  // The options above, as the library writes them.
  return options as CreationOptions
}

/** The passkey of a browser's response; undefined when it is not one that was made here, for this challenge. */
export async function readNewPasskey(
  config: Settings,
  challenge: string,
  credential: NewCredential,
): Promise<StoredPasskey | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...toSite(config),
    // Parsed by the contract's schema of the same shape; nothing is asked of extensions.
    response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) return undefined
  const { id, publicKey, counter } = registrationInfo.credential
  const { transports = [] } = credential.response
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, transports }
}

/** Without `known`, in place of the password: the browser offers whichever there are, and its owner has to prove who they are. */
export async function toRequestOptions(
  config: Settings,
  challenge: string,
  known?: readonly Known[],
): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: toSite(config).expectedRPID,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_FOR_MS,
    userVerification: known ? 'preferred' : 'required',
    ...(known && { allowCredentials: known.map(toKnown) }),
  })
  // As in `toCreationOptions`.
  return options as RequestOptions
}

type Claim = {
  staffId: string
  passkey: StoredPasskey
  challenge: string
  credential: SignedCredential
  /** In place of the password. */
  isAlone: boolean
}

/** Its new counter, or why it is refused. */
export async function checkPasskey(
  config: Settings,
  { staffId, passkey, challenge, credential, isAlone }: Claim,
): Promise<{ counter: number } | { refusal: string }> {
  const { userHandle } = credential.response
  const isTheirs = userHandle === toUserHandle(staffId).toString('base64url')
  // After the password an authenticator may leave out whose it is.
  if (!isTheirs && (isAlone || userHandle)) return { refusal: WRONG_PASSKEY }
  const { verifyAuthenticationResponse } = await loadLibrary()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...toSite(config),
      // As in `readNewPasskey`.
      response: { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      requireUserVerification: isAlone,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    })
    return verified ? { counter: authenticationInfo.newCounter } : { refusal: WRONG_PASSKEY }
  } catch (error) {
    const isCounter = error instanceof Error && error.message.startsWith('Response counter value')
    return { refusal: isCounter ? COUNTER_WENT_BACK : WRONG_PASSKEY }
  }
}

export const WRONG_PASSKEY = 'Wrong passkey'
const COUNTER_WENT_BACK = 'The counter of the passkey went back: it may have been copied'
