import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '#server/db/client.ts'
import { inOrderAfter, type ListOrder, type Place } from '#server/db/lists/pagination.ts'
import type { ReadElsewhere } from '#server/db/replica.ts'
import { toCsvLine } from '#server/http/csv.ts'

/** The columns of a file, in order: each heading with its cell, an expression of `page` and of its lookups. */
export type CsvColumns = Record<string, RawBuilder<unknown>>

/** Rows of other tables that cells are made of: `, name as (…)` for each table, read once a batch, and their joins. */
export type Lookups = { tables: RawBuilder<unknown>; joins: RawBuilder<unknown> }

/** The rows of a file, filtered but not ordered; cells know them as `page`. */
export type CsvSource<DB, TB extends keyof DB, Row extends { id: string }> = {
  rows: SelectQueryBuilder<DB, TB, Row>
  order: ListOrder
  lookups?: Lookups
}

type Batch = { texts: string[]; rows: number; last: Place | undefined }

/**
 * Few enough that others wait for a moment at most while a batch is made: with 2,000 rows, a page beside a flood of exports took
 * twice as long, and a file of a million rows an eighth less.
 */
const BATCH_ROWS = 400
/**
 * A batch comes in pieces of so many lines: what fits the driver's buffers leaves memory as fast as it came, where a text
 * of a megabyte waits for a collection of everything.
 */
const LINES_OF_PIECE = 150
/**
 * A batch at a time in each server, however many files are made: whoever waits for a page waits behind one batch at most. A file
 * alone is no slower, as it has one under way anyway.
 */
const inTurn = pLimit(1)

/**
 * The lines of all rows in batches of text, each found by the last key of the one before, as toBatches finds them. The
 * next is made while one is sent; between two nothing is held, neither a connection nor a cursor.
 */
export async function* toCsvBatches<DB, TB extends keyof DB, Row extends { id: string }>(
  onReplica: ReadElsewhere,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
  onBatch: (rows: number) => void = () => undefined,
): AsyncGenerator<string, void, void> {
  const read = (after: Place | undefined) => inTurn(() => onReplica((db) => readBatch(db, columns, source, after)))
  let next: Promise<Batch> | undefined = read(undefined)
  while (next) {
    const { texts, rows, last }: Batch = await next
    next = last && rows === BATCH_ROWS ? read(last) : undefined
    // When the client leaves now nobody awaits it; whoever does gets the error all the same.
    next?.catch(() => undefined)
    yield* texts
    onBatch(rows)
  }
}

async function readBatch<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  columns: CsvColumns,
  { rows, order, lookups }: CsvSource<DB, TB, Row>,
  after: Place | undefined,
): Promise<Batch> {
  const direction = sql.raw(order.direction)
  // Numbered where the rows come in their order anyway: the joins may mix them up.
  const at = sql<number>`row_number() over (order by ${order.by} ${direction}, ${order.id} ${direction}) - 1`
  const page = inOrderAfter(rows, order, after)
    .select([order.by.as('list_by'), at.as('at')])
    .limit(sql.lit(BATCH_ROWS))
  const statement = sql<{ text: string; rows: number; last: [string, string] }>`
    with page as materialized ${page} ${lookups?.tables ?? sql``}, lines as (
      select page.at, ${toCsvLine(Object.values(columns))} as line from page ${lookups?.joins ?? sql``}
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
