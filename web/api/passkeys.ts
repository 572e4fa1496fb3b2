import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { RequestOptions } from '#contract/passkeys.ts'
import { networkError } from './api-error.ts'
import { checkBody } from './check-body.ts'
import { api } from './client.ts'
import { startSession } from './session.ts'

/** Passkeys in the browser. The WebAuthn library is loaded on first use. */

export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function'

/** Thrown when the browser gave no passkey; its message tells a person what to do. */
export class PasskeyError extends Error {
  constructor(cause: unknown) {
    const name = cause instanceof Error ? cause.name : ''
    super(messages[name] ?? 'The browser could not use a passkey. Try again, or in another browser.', { cause })
    this.name = 'PasskeyError'
  }
}

const NONE = 'No passkey was used: it was cancelled, took too long, or there is none for this site here.'

/** Messages by the name of the WebAuthn error. */
const messages: Partial<Record<string, string>> = {
  AbortError: NONE,
  NotAllowedError: NONE,
  InvalidStateError: 'This device, or its password manager, has a passkey of yours already.',
  NotSupportedError: 'This device cannot keep a passkey. Use a phone, or a password manager.',
  ConstraintError: 'This device cannot keep a passkey that asks who you are. Set up a screen lock or a PIN first.',
  SecurityError: 'Passkeys work only at the portal’s own address. Open it there, and try again.',
}

const loadBrowser = () =>
  import('@simplewebauthn/browser').catch(() => {
    throw networkError()
  })

const refuse = (error: unknown) => {
  throw new PasskeyError(error)
}

/** Signs in with a passkey: instead of the password, or after it with the options of `second_factor_required`. */
export async function signInWithPasskey(asked?: RequestOptions): Promise<void> {
  const { startAuthentication } = await loadBrowser()
  const options = asked ?? (await api('auth', 'startPasskey')).data
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the contract types transports as plain strings
  const credential = await startAuthentication({ optionsJSON }).catch(refuse)
  const { data } = await api('auth', 'signInWithPasskey', { body: { challenge: options.challenge, credential } })
  startSession(data)
}

/** Adds a passkey; asks for the password again if it was given too long ago. The server chooses a missing name. */
export async function addPasskey(name?: string) {
  // Before the device makes a passkey, which would stay there if the server refused its name.
  if (name) await checkBody('passkeys', 'update', { name })
  const { startRegistration } = await loadBrowser()
  const { data: options } = await api('passkeys', 'createOptions')
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON // as above
  const credential = await startRegistration({ optionsJSON }).catch(refuse)
  return api('passkeys', 'create', { body: { challenge: options.challenge, name, credential } })
}
