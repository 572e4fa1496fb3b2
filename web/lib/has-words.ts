/** Returns whether a text has all words of a search, in any order, ignoring case and accents (rules §12.5). */
export function hasWords(text: string, search: string): boolean {
  const plain = toPlain(text)
  return toPlain(search)
    .split(/\s+/)
    .every((word) => plain.includes(word))
}

/** Counts the words of a search with which a word of the text begins. */
export function countWords(text: string, search: string): number {
  const plain = ` ${toPlain(text)}`
  return toPlain(search)
    .split(/\s+/)
    .filter((word) => plain.includes(` ${word}`)).length
}

/** Returns a text as searches compare it: without accents, in lower case, with plain apostrophes. */
const toPlain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('’', "'")
    .toLowerCase()
