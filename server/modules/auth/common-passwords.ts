import { createRequire } from 'node:module'
import type { dictionary } from '@zxcvbn-ts/language-common'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'

/** How many of the list, most common first, must not be the stem of a longer password. */
const STEMS = 3_000
const STEM = new RegExp(`^[a-z]{${MIN_PASSWORD_LENGTH / 2},${MIN_PASSWORD_LENGTH - 1}}$`)

let known: ReadonlySet<string> | undefined

/** Those that are long enough to be passwords, and the words that others are made of. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(
    readList().filter((word, rank) => word.length >= MIN_PASSWORD_LENGTH || (rank < STEMS && STEM.test(word))),
  )
  return known
}

/** Loaded when a password is first checked: it would add a tenth of a second to every start. */
function readList(): readonly string[] {
  const require = createRequire(import.meta.url)
  const list = require('@zxcvbn-ts/language-common') as { dictionary: typeof dictionary } // require knows no types
  return list.dictionary['passwords-common']
}
