import { createRequire } from 'node:module'
import type * as Rrule from 'rrule'

// An import sees no named exports of rrule, which is CommonJS in Node, and Node and the test loaders differ in its
// default export.
/** Recurrence rules of iCalendar (RFC 5545). */
export const { RRule } = createRequire(import.meta.url)('rrule') as typeof Rrule // the package's own types
