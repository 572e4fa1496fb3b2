import type { CsvSeparator } from '#contract/fields.ts'

const KEY = 'csv-separator'
let chosen: string | null = null

/** Returns the separator of files, chosen in this browser because it depends on the machine's spreadsheets. */
export function readCsvSeparator(): CsvSeparator {
  try {
    chosen = localStorage.getItem(KEY)
  } catch {
    // Storage may be blocked: the choice then lasts until the page is left.
  }
  return chosen === 'semicolon' ? 'semicolon' : 'comma'
}

export function chooseCsvSeparator(separator: CsvSeparator): void {
  chosen = separator
  try {
    localStorage.setItem(KEY, separator)
  } catch {
    // Blocked, or full.
  }
}
