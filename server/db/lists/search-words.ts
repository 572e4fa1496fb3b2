/** As search_text of the database (migration 011) has them: signs within addresses and codes, so that each is one word. */
const signs: Record<string, string> = { '.': 'zq', '@': 'qz', '-': 'zj', _: 'jz', '’': "'" }

/** Digits as a phone number is typed: with blanks, dashes and brackets, at home or from abroad. */
const NUMBER = /^\+?[\d\s()./-]*\d[\d\s()./-]*$/
const SHORTEST_NUMBER = 4
/** Where 00 stands for +. */
const SHORTEST_FROM_ABROAD = 9

/** What is typed as it would stand in a text: lower-cased, without accents. */
export function toSearchText(typed: string): string {
  return typed
    .replaceAll(/[.@_’-]/g, (sign) => signs[sign] ?? sign)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** The words of what is typed, and a phone number as one of digits alone. */
export function toSearchWords(typed: string): string[] {
  const text = typed.trim()
  if (text === '') return []
  return isNumber(text) ? [toDigits(text)] : text.split(/\s+/).map((word) => (isNumber(word) ? toDigits(word) : word))
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && (/^[+(]/.test(text) || text.replaceAll(/\D/g, '').length >= SHORTEST_NUMBER)
}

function toDigits(number: string): string {
  const digits = number.replace('(0)', '').replaceAll(/\D/g, '')
  return digits.length < SHORTEST_FROM_ABROAD ? digits : digits.replace(/^00/, '')
}
