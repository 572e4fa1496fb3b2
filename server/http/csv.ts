import { type RawBuilder, sql } from 'kysely'
import type { CsvSeparator } from '#contract/fields.ts'

/**
 * CSV for spreadsheets: RFC 4180, with cells that cannot become formulas (rules §13.2). The database makes the cells,
 * by SQL expressions, so that a million lines pass through the server untouched.
 */

/**
 * The byte order mark that begins each file. Without it Excel reads UTF-8 in the machine's own code page, and 'Zoë'
 * becomes 'ZoÃ«'. RFC 4180 leaves the encoding open, and UTF-8 parsers know the mark.
 */
export const CSV_START = '\uFEFF'

export const CSV_LINE_END = '\r\n'

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/** What stands between the cells of a record. */
export const CSV_SEPARATORS = { comma: ',', semicolon: ';' } satisfies Record<CsvSeparator, string>

/** An SQL expression, or a number, which is written differently in files with semicolons. */
export type CsvCell = RawBuilder<unknown> | { number: RawBuilder<unknown> }

/**
 * Returns an expression for one record with its line end. A null cell is empty. Where spreadsheets expect semicolons,
 * they expect decimal commas too.
 */
export function toCsvLine(cells: readonly CsvCell[], separator: CsvSeparator): RawBuilder<string> {
  const texts = cells.map((cell) => {
    if (!('number' in cell)) return cell
    const text = sql`trim_scale(${cell.number})::text`
    return separator === 'semicolon' ? sql`replace(${text}, '.', ',')` : text
  })
  return sql<string>`concat(${sql.join(texts, sql`, ${sql.lit(CSV_SEPARATORS[separator])}, `)}, ${sql.lit(CSV_LINE_END)})`
}

/**
 * Returns the cell for a text that people or other systems have entered. Ids, dates, times and our own texts do not
 * need it. The expression repeats `text`, which should therefore be a column and not a calculation.
 */
export function toCsvText(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case
    when ${text} ~ ${plain} then ${text}
    when ${text} ~ ${beginsFormula} then
      case when ${text} ~ ${needsQuotesInside} then '"''' || ${doubled(text)} || '"' else '''' || ${text} end
    when ${text} ~ ${needsQuotes} then '"' || ${doubled(text)} || '"'
    else ${text} end`
}

/** Returns the cell for a number, without trailing zeros: '2.5' for a numeric 2.5000. */
export function toCsvNumber(number: RawBuilder<unknown>): CsvCell {
  return { number }
}

/** Every blank character, including those of Unicode: what JavaScript's `trim` removes. */
export const BLANKS =
  '\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'

/** Matches nearly every text, so that most need only this one test. */
const plain = sql.lit('^[A-Za-z0-9](?:[^",;\\r\\n]*[!#-+\\u002D-:<-~])?$')

/** Ranges of invisible characters: control, format and ignorable characters, and every kind of blank. */
const invisibleRanges =
  '1-20 7f-a0 ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 1680 17b4-17b5 180b-180f 2000-200f 2028-202f 205f-206f 3000 3164 fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a e0000-e0fff'

/** The same ranges for use within the brackets of a regular expression, in the database as in JavaScript. */
export const INVISIBLE = invisibleRanges
  .split(' ')
  .map((range) => range.split('-').map(toCharacter).join('-'))
  .join('')

function toCharacter(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16))
}

/**
 * Matches a text that a spreadsheet may calculate. It begins with one of the four signs, also in full width or after
 * invisible characters, which may be dropped; with a tab or line break, which some programs skip; or with a semicolon,
 * which begins a cell where commas are decimal separators.
 */
const beginsFormula = sql.lit(`^[\\t\\r\\n]|^[${INVISIBLE}]*[;=+\\-@\\uFF1B\\uFF1D\\uFF0B\\uFF0D\\uFF20]`)

/**
 * Spaces at either end are part of the cell (RFC 4180, section 2.4), but not every reader keeps them unless quoted. Both
 * separators are quoted in every file.
 */
const needsQuotes = sql.lit(`[",;\\r\\n]|^[${BLANKS}]|[${BLANKS}]$`)

/** The same for a text that follows the apostrophe that guards against formulas. */
const needsQuotesInside = sql.lit(`[",;\\r\\n]|[${BLANKS}]$`)

function doubled(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`replace(${text}, '"', '""')`
}
