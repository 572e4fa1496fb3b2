import { Readable } from 'node:stream'
import type { AuditEntity } from '#contract/audit.ts'
import type { Actor, AppContext } from '#server/context.ts'
import { CSV_CONTENT_TYPE, CSV_LINE_END, CSV_START } from '#server/http/csv.ts'
import { type FileDownload, fileDownload } from '#server/http/results.ts'
import { recordEvent } from '../audit/record-change.ts'
import { type CsvColumns, type CsvSource, toCsvBatches } from './csv-batches.ts'

/** Who takes which file: the history says so, with the filters and how many rows have left (rules §22.3). */
export type Download = {
  context: Pick<AppContext, 'db' | 'onReplica'>
  actor: Actor
  entity: AuditEntity
  filename: string
  query: object
}

/**
 * A file made while it is sent. The next batch is asked for when the client has taken the last one, and none any more
 * once it has gone away: the stream is destroyed then, which ends the loop over the batches with it.
 */
export function csvDownload<DB, TB extends keyof DB, Row extends { id: string }>(
  download: Download,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): FileDownload {
  return fileDownload(download.filename, CSV_CONTENT_TYPE, Readable.from(toCsvFile(download, columns, source)))
}

/** The heading leaves with the first batch: a query that fails is still an error then, not half a file. */
async function* toCsvFile<DB, TB extends keyof DB, Row extends { id: string }>(
  { context, actor, entity, filename, query }: Download,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): AsyncGenerator<string> {
  let heading = CSV_START + Object.keys(columns).join(',') + CSV_LINE_END
  let sent = 0
  try {
    for await (const batch of toCsvBatches(context.onReplica, columns, source, (rows) => {
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
    // Also of a file that was broken off: what has left has left. Nothing has when the first rows could not be read.
    if (heading === '')
      await recordEvent(context.db, actor, {
        action: 'export',
        entity,
        after: { file: filename, filters: query, rows: sent },
      })
  }
}
