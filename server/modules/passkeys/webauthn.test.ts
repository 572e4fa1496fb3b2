import { expect, it } from 'vitest'
import { parseConfig } from '#server/config.ts'
import { createAuthenticator } from '#server/testing/authenticator.ts'
import { readNewPasskey, toCreationOptions, toRequestOptions } from './webauthn.ts'

const challenge = 'k1sXyMJuUXQ5pUe1m0Wc2bT8oA4dZ7rG9hN3vLq6FjE'
const staff = { _id: '0193b0c4-7a1a-7de4-a475-90b2d3f47b21', email: 'lerato@example.com', name: 'Lerato Mokoena' }

it.each([
  [{ PUBLIC_URL: 'https://pods.example.com/' }, 'pods.example.com', 'https://pods.example.com'],
  [{ PUBLIC_URL: 'https://pods.example.com:8443' }, 'pods.example.com', 'https://pods.example.com:8443'],
  [{ HOST: 'pods.test', PORT: '4100', SECRET_KEY: 'a key of some length' }, 'pods.test', 'http://pods.test:4100'],
  [{}, 'localhost', 'http://localhost:4000'],
])('with %j issues passkeys for %s and accepts them only from %s', async (env, host, origin) => {
  const config = parseConfig(env)
  const options = await toCreationOptions(config, staff, challenge, [])
  expect(options.rp).toEqual({ id: host, name: 'Podkeeper' })
  expect((await toRequestOptions(config, challenge)).rpId).toBe(host)
  const authenticator = createAuthenticator()
  const passkey = await readNewPasskey(config, challenge, authenticator.make(options, { origin }))
  expect(passkey?.credential_id).toBe(authenticator.credentialId)
  for (const other of [`${origin}1`, origin.replace('//', '//www.'), 'null']) {
    expect(await readNewPasskey(config, challenge, authenticator.make(options, { origin: other }))).toBeUndefined()
  }
})
