import { Readable } from 'node:stream'
import type { AuditEntity } from '#contract/audit-entities.ts'
import type { CsvSeparator } from '#contract/fields.ts'
import type { Actor, AppContext } from '#server/context.ts'
import { CSV_CONTENT_TYPE, CSV_LINE_END, CSV_SEPARATORS, CSV_START } from '#server/http/csv.ts'
import { type FileDownload, fileDownload } from '#server/http/results.ts'
import { recordEvent } from '../audit/record-event.ts'
import { type CsvColumns, type CsvSource, toCsvBatches } from './csv-batches.ts'

/** Who downloads which file. The history records it, with the filters and the number of rows sent (rules §22.1). */
export type Download = {
  context: Pick<AppContext, 'db' | 'onReplica'>
  actor: Actor
  entity: AuditEntity
  filename: string
  query: { separator?: CsvSeparator | undefined }
}

/**
 * Returns a file that is made while it is sent, no faster than the client reads it. When the client disconnects, the
 * stream is destroyed, which ends the loop over the batches.
 */
export function csvDownload<DB, TB extends keyof DB, Row extends { id: string }>(
  download: Download,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): FileDownload {
  return fileDownload(download.filename, CSV_CONTENT_TYPE, Readable.from(toCsvFile(download, columns, source)))
}

/** Sends the heading with the first batch, so that a failing first query gives an error response, not half a file. */
async function* toCsvFile<DB, TB extends keyof DB, Row extends { id: string }>(
  { context, actor, entity, filename, query: { separator = 'comma', ...filters } }: Download,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): AsyncGenerator<string> {
  let heading = CSV_START + Object.keys(columns).join(CSV_SEPARATORS[separator]) + CSV_LINE_END
  let sent = 0
  try {
    for await (const batch of toCsvBatches(context.onReplica, { columns, separator }, source, (rows) => {
      sent += rows
    })) {
      const text = heading + batch
      heading = ''
      yield text
    }
    const onlyHeading = heading
    heading = ''
    if (onlyHeading !== '') yield onlyHeading
  } finally {
    // Recorded for aborted downloads too, as their rows were sent; not when the first rows could not be read.
    if (heading === '')
      await recordEvent(context.db, actor, {
        action: 'export',
        entity,
        after: { file: filename, filters, rows: sent },
      })
  }
}
