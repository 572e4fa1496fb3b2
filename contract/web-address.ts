/**
 * Returns whether a text is an http(s) address and so safe to use as a link. Staff or other clients may have entered
 * anything, including a script.
 */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)
