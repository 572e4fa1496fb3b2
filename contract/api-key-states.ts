/** Expired and revoked keys are no longer accepted. */
export const apiKeyStates = ['live', 'expired', 'revoked'] as const
export type ApiKeyState = (typeof apiKeyStates)[number]
