import { createRequire } from 'node:module'
import type { dictionary } from '@zxcvbn-ts/language-common'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'

/** How many of the most common passwords must not be the stem of a longer one either. */
const STEMS = 3_000
const STEM = new RegExp(`^[a-z]{${MIN_PASSWORD_LENGTH / 2},${MIN_PASSWORD_LENGTH - 1}}$`)

let known: ReadonlySet<string> | undefined

/** Returns common passwords of the required length, and shorter ones that must not be the stem of a password. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(
    readList().filter((word, rank) => word.length >= MIN_PASSWORD_LENGTH || (rank < STEMS && STEM.test(word))),
  )
  return known
}

/** Loads the list when it is first needed: it would add a tenth of a second to every start. */
function readList(): readonly string[] {
  const require = createRequire(import.meta.url)
  const list = require('@zxcvbn-ts/language-common') as { dictionary: typeof dictionary } // `require` is untyped
  return list.dictionary['passwords-common']
}
