/** A link that browsers may be led to: what staff, or another client, wrote as one may be anything, a script too. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)
