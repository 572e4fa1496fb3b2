import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CreationOptions, NewCredential, RequestOptions, SignedCredential } from '#contract/passkeys.ts'
import { type Config, toPortalUrl } from '#server/config.ts'

/** Creates and checks the WebAuthn messages of browsers and authenticators. Nothing here reads the database. */

type Settings = Pick<Config, 'publicUrl' | 'host' | 'port' | 'productName'>

/** A passkey as it is stored. */
type StoredPasskey = { credential_id: string; public_key: Buffer; counter: number; transports: string[] }

/** How long a challenge waits for its response. */
export const CHALLENGE_FOR_MS = 5 * 60_000

/** EdDSA, ES256 and RS256, which all browsers and Node versions support. The library's default depends on Node. */
const algorithms = [-8, -7, -257]

/** Loads the library at the first use, as it takes half a second and 30 MB, which servers without passkeys can save. */
const loadLibrary = () => import('@simplewebauthn/server')

/** Returns the user handle, by which authenticators know a staff member. */
const toUserHandle = (staffId: string) => Buffer.from(staffId)

/** Returns the portal's address, which passkeys are bound to. It comes from the configuration, not from the request. */
function toSite(config: Settings) {
  const { origin, hostname } = new URL(toPortalUrl(config))
  return { expectedOrigin: origin, expectedRPID: hostname }
}

type Known = Pick<StoredPasskey, 'credential_id' | 'transports'>
type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

// Browsers ignore unknown transports, so that any stored text can be passed on.
const toKnown = ({ credential_id, transports }: Known) => ({
  id: credential_id,
  transports: transports as Transport[],
})

/**
 * Returns the options to create a passkey that can replace the password: it is found without an email address, and the
 * authenticator verifies its owner.
 */
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
  // The library returns the options above in the shape of the contract.
  return options as CreationOptions
}

/** Reads the passkey from a browser's response. Returns undefined when it was not made for this site and challenge. */
export async function readNewPasskey(
  config: Settings,
  challenge: string,
  credential: NewCredential,
): Promise<StoredPasskey | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...toSite(config),
    // Parsed by a schema of the same shape in the contract; no extensions were requested.
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

/**
 * Returns the options to sign in with one of the `known` passkeys after the password. Without `known`, a passkey
 * replaces the password: the browser offers any that it has, and the authenticator must verify its owner.
 */
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
  /** True when the passkey replaces the password. */
  isAlone: boolean
}

/** Checks a signature. Returns the passkey's new counter, or why it is refused. */
export async function checkPasskey(
  config: Settings,
  { staffId, passkey, challenge, credential, isAlone }: Claim,
): Promise<{ counter: number } | { refusal: string }> {
  const { userHandle } = credential.response
  const isTheirs = userHandle === toUserHandle(staffId).toString('base64url')
  // After the password, an authenticator may omit the user handle.
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
