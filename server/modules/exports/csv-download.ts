import { Readable } from 'node:stream'
import { CSV_CONTENT_TYPE, CSV_START, type CsvCell, toCsvLine } from '#server/http/csv.ts'
import { type FileDownload, fileDownload } from '#server/http/results.ts'

/** The columns of a file, in order: each heading with the cell that a row gives it. */
export type CsvColumns<Row> = Record<string, (row: Row) => CsvCell>

/**
 * A file made while it is sent. The next batch is asked for when the client has taken the last one, and none any more
 * once it has gone away: the stream is destroyed then, which ends the loop over `batches` and their query with it.
 */
export function csvDownload<Row>(
  filename: string,
  columns: CsvColumns<Row>,
  batches: AsyncIterable<Row[]>,
): FileDownload {
  return fileDownload(filename, CSV_CONTENT_TYPE, Readable.from(toCsvText(columns, batches)))
}

/** The heading leaves with the first batch: a query that fails is still an error's answer then, not half a file. */
async function* toCsvText<Row>(columns: CsvColumns<Row>, batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  const toCells = Object.values(columns)
  let text = CSV_START + toCsvLine(Object.keys(columns))
  for await (const batch of batches) {
    for (const row of batch) text += toCsvLine(toCells.map((toCell) => toCell(row)))
    yield text
    text = ''
  }
  if (text !== '') yield text
}
