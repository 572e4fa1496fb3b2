/** Those expired or revoked count no more. */
export const apiKeyStates = ['live', 'expired', 'revoked'] as const
export type ApiKeyState = (typeof apiKeyStates)[number]
