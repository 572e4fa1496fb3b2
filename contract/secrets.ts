/** What the API answers in place of a stored secret (decisions §6). */
export const SECRET_MASK = '********'
