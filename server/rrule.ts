import { createRequire } from 'node:module'
import type * as Rrule from 'rrule'

// Its file for Node is CommonJS whose names an import cannot see; the tests' loaders and Node differ in what its default is.
/** Dates that repeat. */
export const { RRule } = createRequire(import.meta.url)('rrule') as typeof Rrule // which is what the package has
