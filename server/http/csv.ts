import { type RawBuilder, sql } from 'kysely'

/**
 * A table as a spreadsheet reads it: RFC 4180, with cells that cannot become formulas (rules §13.2). The database makes
 * the cells, as SQL expressions of text, so that a million lines pass through the server untouched.
 */

/**
 * Begins each file: without the byte order mark Excel takes UTF-8 for the machine's own code page, and 'Zoë' arrives
 * as 'ZoÃ«'. RFC 4180 leaves the encoding open, and parsers of UTF-8 know the mark.
 */
export const CSV_START = '\uFEFF'

export const CSV_LINE_END = '\r\n'

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/** One record with its line end. A cell that is null is empty. */
export function toCsvLine(cells: readonly RawBuilder<unknown>[]): RawBuilder<string> {
  return sql<string>`concat(${sql.join(cells, sql`, ',', `)}, ${sql.lit(CSV_LINE_END)})`
}

/**
 * The cell of a text that people or other systems have given. Ids, dates, times and our own texts need none of this.
 * The expression repeats `text`: it should be a column, not a calculation.
 */
export function toCsvText(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case
    when ${text} ~ ${plain} then ${text}
    when ${text} ~ ${beginsFormula} then
      case when ${text} ~ ${needsQuotesInside} then '"''' || ${doubled(text)} || '"' else '''' || ${text} end
    when ${text} ~ ${needsQuotes} then '"' || ${doubled(text)} || '"'
    else ${text} end`
}

/** A number stays a number: '2.5' of a numeric 2.5000. */
export function toCsvNumber(number: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`trim_scale(${number})::text`
}

/** Every character that counts as blank, in Unicode too: what JavaScript's `trim` takes away. */
export const BLANKS =
  '\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'

/** What nearly every text is, told by a single look at it: the rest decides only what this does not. */
const plain = sql.lit('^[A-Za-z0-9](?:[^",\\r\\n]*[!#-+\\u002D-~])?$')

/** What shows nothing, in ranges: control, format and ignorable characters, and every kind of blank. */
const invisibleRanges =
  '1-20 7f-a0 ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 1680 17b4-17b5 180b-180f 2000-200f 2028-202f 205f-206f 3000 3164 fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a e0000-e0fff'

/** The same within the brackets of a regular expression, of the database as of JavaScript. */
export const INVISIBLE = invisibleRanges
  .split(' ')
  .map((range) => range.split('-').map(toCharacter).join('-'))
  .join('')

function toCharacter(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16))
}

/**
 * What makes a spreadsheet calculate: the four signs, also in full width and after what does not show, for it may be
 * dropped; what some skip; and the semicolon, which begins a cell where commas are decimal.
 */
const beginsFormula = sql.lit(`^[\\t\\r\\n]|^[${INVISIBLE}]*[;=+\\-@\\uFF1B\\uFF1D\\uFF0B\\uFF0D\\uFF20]`)

/** Spaces at an end are part of the cell (RFC 4180, section 2.4), which not every reader believes unless they are quoted. */
const needsQuotes = sql.lit(`[",\\r\\n]|^[${BLANKS}]|[${BLANKS}]$`)

/** The same of a text that has the guard's apostrophe before it. */
const needsQuotesInside = sql.lit(`[",\\r\\n]|[${BLANKS}]$`)

function doubled(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`replace(${text}, '"', '""')`
}
