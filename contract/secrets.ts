/** Replaces stored secrets in responses (rules §5.4). */
export const SECRET_MASK = '********'
