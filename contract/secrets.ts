/** What responses have in place of a stored secret (rules §5.4). */
export const SECRET_MASK = '********'
