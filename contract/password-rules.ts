/** Rules for passwords (rules §3.5). The portal checks them while a password is typed, the server when it is sent. */

export const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200

export type PasswordSurroundings = {
  /** The person's own address, which attackers would try first. */
  email: string
  productName: string
  /** In lower case. */
  common: ReadonlySet<string>
}

const FEWEST_DIFFERENT_CHARACTERS = 5

/** Returns what is wrong, as the rest of a sentence that begins with the field's name, or undefined when nothing is. */
export function findPasswordProblem(
  password: string,
  { email, productName, common }: PasswordSurroundings,
): string | undefined {
  const lengthProblem = findLengthProblem(password)
  if (lengthProblem !== undefined) return lengthProblem
  if (isMostly(password, email) || isMostly(password, email.split('@')[0] ?? ''))
    return 'must not be the email address, or little more than it'
  if (isMostly(password, productName)) return `must not be the name ${productName}, or little more than it`
  if (isCommon(password, common)) return 'is one of those that are guessed first, or nearly. Put several words together'
  return undefined
}

export function findLengthProblem(password: string): string | undefined {
  const { length } = Array.from(password)
  if (length < MIN_PASSWORD_LENGTH) return `needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (length > MAX_PASSWORD_LENGTH) return `may have at most ${MAX_PASSWORD_LENGTH} characters`
  return undefined
}

/** Returns whether occurrences of the word make up at least half of the password's letters and digits. */
function isMostly(password: string, word: string): boolean {
  const [whole, part] = [toPlain(password), toPlain(word)]
  return part !== '' && whole.replaceAll(part, '').length * 2 <= whole.length && whole !== ''
}

/** Keeps only letters and digits: 'P.o.d-Keeper' is as easy to guess as 'podkeeper'. */
function toPlain(text: string): string {
  return toLower(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function toLower(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function isCommon(password: string, common: ReadonlySet<string>): boolean {
  const text = toLower(password)
  if (common.has(text) || isRow(text)) return true
  // 'P@ssw0rd123!' is 'password' with the usual substitutions and additions.
  const stem = text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '')
  return stem.length * 2 >= text.length && (common.has(stem) || common.has(toLetters(stem)))
}

const letterOf: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

function toLetters(text: string): string {
  return Array.from(text, (character) => letterOf[character] ?? character).join('')
}

/**
 * Returns whether the text has too few different characters or is a sequence: 'aaaaaaaaaa', 'abababab12', 'abcdefghij',
 * '9876543210'.
 */
function isRow(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  if (new Set(codes).size < FEWEST_DIFFERENT_CHARACTERS) return true
  const steps = new Set(codes.slice(1).map((code, index) => (code - (codes[index] ?? 0) + 10) % 10))
  return steps.size === 1 && (steps.has(1) || steps.has(9))
}
