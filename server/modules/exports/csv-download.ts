import { Readable } from 'node:stream'
import type { Db } from '#server/db/client.ts'
import { CSV_CONTENT_TYPE, CSV_LINE_END, CSV_START } from '#server/http/csv.ts'
import { type FileDownload, fileDownload } from '#server/http/results.ts'
import { type CsvColumns, type CsvSource, toCsvBatches } from './csv-batches.ts'

/**
 * A file made while it is sent. The next batch is asked for when the client has taken the last one, and none any more
 * once it has gone away: the stream is destroyed then, which ends the loop over the batches with it.
 */
export function csvDownload<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  filename: string,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): FileDownload {
  const batches = toCsvBatches(db, columns, source)
  return fileDownload(filename, CSV_CONTENT_TYPE, Readable.from(toCsvFile(Object.keys(columns), batches)))
}

/** The heading leaves with the first batch: a query that fails is still an error then, not half a file. */
async function* toCsvFile(headings: readonly string[], batches: AsyncIterable<string>): AsyncGenerator<string> {
  let heading = CSV_START + headings.join(',') + CSV_LINE_END
  for await (const batch of batches) {
    yield heading + batch
    heading = ''
  }
  if (heading !== '') yield heading
}
