import { type RawBuilder, sql } from 'kysely'
import { hasWord } from './has-word.ts'

/** Words of letters, long enough for a mistyped one to be told from another word. */
export function isSpelledWord(word: string): boolean {
  return /^\p{L}{4,40}$/u.test(word)
}

/**
 * The text has a word that begins with this one but for a single slip: a letter wrong, missing or too many, or two
 * neighbours swapped. Other words than those of letters are taken as they stand.
 *
 * An index finds the candidates: a single slip leaves one half of the word as it is, or swaps the letters in its middle.
 * The slip itself is then looked for in those alone.
 */
export function hasAlikeWord(text: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  if (!isSpelledWord(word)) return hasWord(text, word)
  const letters = Array.from(word)
  const candidates = toCandidates(letters).map((pattern) => sql`${text} ilike ${pattern}`)
  // The empty text keeps the index from being asked for the expression too, which is slower than reading the candidates.
  return sql`((${sql.join(candidates, sql` or `)}) and (${text} || '') ~* ${`\\m(${toSlips(letters).join('|')})`})`
}

function toCandidates(letters: string[]): string[] {
  const middle = Math.floor(letters.length / 2)
  const head = letters.slice(0, middle).join('')
  const tail = letters.slice(middle).join('')
  // Two letters are in the index only where a word ends.
  const tails = letters.length - middle >= 3 ? [`%${tail}%`] : [`%${tail}`, `%${tail} %`, `%${tail}\n%`]
  return [`${head}%`, `% ${head}%`, `%\n${head}%`, ...tails, `%${swap(letters, middle - 1)}%`]
}

/** Regular expressions of all that one slip can have made this word of; the letters need no escape. */
function toSlips(letters: string[]): string[] {
  const slips = new Set<string>()
  for (const at of letters.keys()) {
    const before = letters.slice(0, at).join('')
    slips.add(`${before}\\w${letters.slice(at + 1).join('')}`)
    slips.add(`${before}${letters.slice(at + 1).join('')}`)
    slips.add(`${before}\\w${letters.slice(at).join('')}`)
    if (at + 1 < letters.length) slips.add(swap(letters, at))
  }
  return [...slips]
}

/** The word with the letter at `at` and the next one swapped. */
function swap(letters: string[], at: number): string {
  return [...letters.slice(0, at), letters[at + 1], letters[at], ...letters.slice(at + 2)].join('')
}
