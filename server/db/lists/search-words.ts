/**
 * Replacements for signs within addresses and codes, as in the database's search_text (migration 011), so that each
 * address or code is one word.
 */
const signs: Record<string, string> = { '.': 'zq', '@': 'qz', '-': 'zj', _: 'jz', '’': "'" }

/** A phone number as people type it: digits with blanks, dashes and brackets, national or international. */
const NUMBER = /^\+?[\d\s()./-]*\d[\d\s()./-]*$/
const SHORTEST_NUMBER = 4
/** The fewest digits with which a leading 00 stands for +. */
const SHORTEST_FROM_ABROAD = 9

/**
 * Signs that are written around words, as in ‘Surname, Name’, and are no part of them. Before one or two letters they
 * stay: these are looked for where a word begins, and ‘"meeting"’ begins with one.
 */
const AROUND = /^[,;"“”]+(?=.{3})|[,;"“”]+$/g

/** Returns what was typed in the form of the search texts: lower-cased, without accents. */
export function toSearchText(typed: string): string {
  return typed
    .replaceAll(/[.@_’-]/g, (sign) => signs[sign] ?? sign)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/**
 * Returns the words of what was typed, each with its spellings: a number as it was typed, as in an address, and as its
 * digits only, as phone numbers are kept.
 */
export function toSearchWords(typed: string): string[][] {
  const text = typed.trim()
  if (text === '') return []
  const words = isNumber(text) ? [text] : splitWords(text)
  return words.map((word) => (isNumber(word) && toDigits(word) !== word ? [word, toDigits(word)] : [word]))
}

/** Splits at blanks. Leaves out the signs around words, unless there is nothing else. */
function splitWords(text: string): string[] {
  const typed = text.split(/\s+/)
  const words = typed.map((word) => word.replaceAll(AROUND, '')).filter(Boolean)
  return words.length > 0 ? words : typed
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && (/^[+(]/.test(text) || text.replaceAll(/\D/g, '').length >= SHORTEST_NUMBER)
}

function toDigits(number: string): string {
  const digits = number.replace('(0)', '').replaceAll(/\D/g, '')
  return digits.length < SHORTEST_FROM_ABROAD ? digits : digits.replace(/^00/, '')
}
