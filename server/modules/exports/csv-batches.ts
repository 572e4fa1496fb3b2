import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import type { CsvSeparator } from '#contract/fields.ts'
import type { Db } from '#server/db/client.ts'
import { inOrderAfter, type ListOrder, type Place } from '#server/db/lists/pagination.ts'
import type { ReadElsewhere } from '#server/db/replica.ts'
import { type CsvCell, toCsvLine } from '#server/http/csv.ts'

/** The columns of a file, in order: headings and their cells, which are made from `page` and its lookups. */
export type CsvColumns = Record<string, CsvCell>

type CsvLines = { columns: CsvColumns; separator: CsvSeparator }

/** Other tables that cells are made from: a `, name as (…)` for each, read once per batch, and their joins. */
export type Lookups = { tables: RawBuilder<unknown>; joins: RawBuilder<unknown> }

/** The rows of a file, filtered but not ordered. Cells refer to them as `page`. */
export type CsvSource<DB, TB extends keyof DB, Row extends { id: string }> = {
  rows: SelectQueryBuilder<DB, TB, Row>
  order: ListOrder
  lookups?: Lookups
}

type Batch = { texts: string[]; rows: number; last: Place | undefined }

/**
 * Small enough that other requests hardly wait while a batch is made. With 2,000 rows, requests during many exports
 * took twice as long, and a file of a million rows took an eighth less.
 */
export const BATCH_ROWS = 400
/**
 * The lines per piece of a batch. Pieces that fit the driver's buffers are freed quickly, while a text of a megabyte
 * stays in memory until a full garbage collection.
 */
const LINES_OF_PIECE = 150
/**
 * Each server makes one batch at a time, however many files are being made, so that other requests wait for one batch
 * at most. A single file is no slower, as it never has more than one batch under way.
 */
const inTurn = pLimit(1)
/**
 * While so many other files wait for their next batch, the database is left to other requests after each batch for as
 * long as the batch took. Without it, requests beside eight exports took nearly twice as long.
 */
const MANY_WAITING = 2

/**
 * Yields the lines of all rows as pieces of text. Like `toBatches`, it finds each batch by the last key of the
 * previous one. The next batch is made while one is sent; no connection or cursor is held between batches.
 */
export async function* toCsvBatches<DB, TB extends keyof DB, Row extends { id: string }>(
  onReplica: ReadElsewhere,
  lines: CsvLines,
  source: CsvSource<DB, TB, Row>,
  onBatch: (rows: number) => void = () => undefined,
): AsyncGenerator<string, void, void> {
  const read = (after: Place | undefined) =>
    inTurn(async () => {
      const begun = performance.now()
      const batch = await onReplica((db) => readBatch(db, lines, source, after))
      if (inTurn.pendingCount >= MANY_WAITING) await pause(performance.now() - begun)
      return batch
    })
  let next: Promise<Batch> | undefined = read(undefined)
  while (next) {
    const { texts, rows, last }: Batch = await next
    next = last && rows === BATCH_ROWS ? read(last) : undefined
    // Avoids an unhandled rejection when the client leaves now. An `await` of `next` still throws the error.
    next?.catch(() => undefined)
    yield* texts
    onBatch(rows)
  }
}

async function readBatch<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  { columns, separator }: CsvLines,
  { rows, order, lookups }: CsvSource<DB, TB, Row>,
  after: Place | undefined,
): Promise<Batch> {
  const direction = sql.raw(order.direction)
  // Numbers the rows while they are in order, as the joins may reorder them.
  const at = sql<number>`row_number() over (order by ${order.by} ${direction}, ${order.id} ${direction}) - 1`
  const page = inOrderAfter(rows, order, after)
    .select([order.by.as('list_by'), at.as('at')])
    .limit(sql.lit(BATCH_ROWS))
  const statement = sql<{ text: string; rows: number; last: [string, string] }>`
    with page as materialized ${page} ${lookups?.tables ?? sql``}, lines as (
      select page.at, ${toCsvLine(Object.values(columns), separator)} as line from page ${lookups?.joins ?? sql``}
    )
    select string_agg(line, '' order by at) as text,
           count(*) as rows,
           (select array[list_by::text, id::text] from page order by at desc limit 1) as last
      from lines
     group by at / ${sql.lit(LINES_OF_PIECE)}
     order by at / ${sql.lit(LINES_OF_PIECE)}`
  const { rows: pieces } = await statement.execute(db)
  const [key, id] = pieces[0]?.last ?? []
  return {
    texts: pieces.map(({ text }) => text),
    rows: pieces.reduce((sum, piece) => sum + piece.rows, 0),
    last: key !== undefined && id !== undefined ? { list_key: key, id } : undefined,
  }
}
