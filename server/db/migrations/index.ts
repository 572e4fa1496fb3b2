import type { Migration } from 'kysely'
import * as foundation from './001-foundation.ts'
import * as rowCounts from './002-row-counts.ts'
import * as rowCountsIndex from './003-row-counts-index.ts'
import * as wordStarts from './004-word-starts.ts'
import * as rowCountsMonths from './005-row-counts-months.ts'
import * as signInAddresses from './006-sign-in-addresses.ts'
import * as secretKeyCheck from './008-secret-key-check.ts'
import * as imageKeys from './009-image-keys.ts'
import * as countryCodes from './010-country-codes.ts'
import * as searchTexts from './011-search-texts.ts'

/** In order of name. A migration that has landed is never changed; a new one is added. */
export const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-row-counts': rowCounts,
  '003-row-counts-index': rowCountsIndex,
  '004-word-starts': wordStarts,
  '005-row-counts-months': rowCountsMonths,
  '006-sign-in-addresses': signInAddresses,
  '008-secret-key-check': secretKeyCheck,
  '009-image-keys': imageKeys,
  '010-country-codes': countryCodes,
  '011-search-texts': searchTexts,
}
