/** A table as a spreadsheet reads it: RFC 4180, with cells that cannot become formulas (decisions §6). */

/** Numbers stay numbers; every other value is text to whoever opens the file. */
export type CsvCell = string | number | null

/**
 * Begins each file: without the byte order mark Excel takes UTF-8 for the machine's own code page, and 'Zoë' arrives
 * as 'ZoÃ«'. RFC 4180 leaves the encoding open, and parsers of UTF-8 know the mark.
 */
export const CSV_START = '\uFEFF'

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/** One record with its line end. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: CsvCell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = beginsFormula.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What makes a spreadsheet calculate: the four signs, also in full width and after blanks; and what some skip. */
const beginsFormula = /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/

/** Spaces at an end are part of the cell (RFC 4180 §2.4), which not every reader believes unless they are quoted. */
const needsQuotes = /[",\r\n]|^\s|\s$/
