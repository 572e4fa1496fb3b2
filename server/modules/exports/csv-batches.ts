import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AppContext } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { inOrder, isAfter, type ListOrder } from '#server/db/ordered-list.ts'
import { toCsvLine } from '#server/http/csv.ts'

/** The columns of a file, in order: each heading with its cell, an expression of `page` and of what stands beside it. */
export type CsvColumns = Record<string, RawBuilder<unknown>>

/** Rows of other tables that cells are made of: `, name as (…)` for each table, read once a batch, and their joins. */
export type Beside = { tables: RawBuilder<unknown>; joins: RawBuilder<unknown> }

/** The rows of a file, filtered but not ordered; cells know them as `page`. */
export type CsvSource<DB, TB extends keyof DB, Row extends { id: string }> = {
  rows: SelectQueryBuilder<DB, TB, Row>
  order: ListOrder
  beside?: Beside
}

type Batch = {
  texts: string[]
  rows: number
  /** The last row, as isAfter takes it. */
  last: { list_key: string; id: string } | undefined
  tookMs: number
}

/**
 * A batch costs something of its own beside its lines: it grows while it is made so quickly that nobody waits for it,
 * and while its text is small. A slow database gets small ones. While others call, batches are small and have pauses
 * between them, in which the processors are theirs: a file may take longer, and nobody has to wait for it.
 */
const FIRST_ROWS = 1000
const MOST_ROWS = 4000
const QUICK_MS = 100
const SLOW_MS = 400
const PAUSE_SHARE = 0.25
const MOST_CHARACTERS = 2_000_000
/**
 * A batch comes in pieces of so many lines: what fits the driver's buffers leaves memory as fast as it came, where a text
 * of a megabyte waits for a collection of everything.
 */
const LINES_OF_PIECE = 150

/**
 * The lines of all rows in batches of text, each found by the last key of the one before, as toBatches finds them. The
 * next batch is made while one is sent; between two nothing is held, neither a connection nor a cursor.
 */
export async function* toCsvBatches<DB, TB extends keyof DB, Row extends { id: string }>(
  { db, foreground }: Pick<AppContext, 'db' | 'foreground'>,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): AsyncGenerator<string, void, void> {
  const readAfter = async (batch: Batch, rows: number, pauseMs: number) => {
    if (pauseMs > 0) await sleep(pauseMs)
    return readBatch(db, columns, source, rows, batch.last)
  }
  let size = FIRST_ROWS
  let next: Promise<Batch> | undefined = readBatch(db, columns, source, size)
  while (next) {
    const batch: Batch = await next
    next = undefined
    if (batch.rows === size) {
      const isBusy = foreground.isBusy()
      size = isBusy ? FIRST_ROWS : toNextSize(size, batch)
      next = readAfter(batch, size, isBusy ? batch.tookMs * PAUSE_SHARE : 0)
      // When the client leaves now nobody awaits it; whoever does gets the error all the same.
      next.catch(() => undefined)
    }
    yield* batch.texts
  }
}

function toNextSize(size: number, { texts, tookMs }: Batch): number {
  if (tookMs > SLOW_MS) return Math.max(size / 2, FIRST_ROWS)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const mayGrow = tookMs < QUICK_MS && characters * 2 <= MOST_CHARACTERS
  return mayGrow ? Math.min(size * 2, MOST_ROWS) : size
}

async function readBatch<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  columns: CsvColumns,
  { rows, order, beside }: CsvSource<DB, TB, Row>,
  size: number,
  after?: Batch['last'],
): Promise<Batch> {
  const direction = sql.raw(order.direction)
  // Numbered where the rows come in their order anyway: the joins may mix them up.
  const at = sql<number>`row_number() over (order by ${order.by} ${direction}, ${order.id} ${direction}) - 1`
  const page = inOrder(after ? rows.where(isAfter(order, after)) : rows, order)
    .select([order.by.as('list_by'), at.as('at')])
    .limit(sql.lit(size))
  const statement = sql<{ text: string; rows: number; last: [string, string] }>`
    with page as materialized ${page} ${beside?.tables ?? sql``}, lines as (
      select page.at, ${toCsvLine(Object.values(columns))} as line from page ${beside?.joins ?? sql``}
    )
    select string_agg(line, '' order by at) as text,
           count(*) as rows,
           (select array[list_by::text, id::text] from page order by at desc limit 1) as last
      from lines
     group by at / ${sql.lit(LINES_OF_PIECE)}
     order by at / ${sql.lit(LINES_OF_PIECE)}`
  const begun = performance.now()
  const { rows: pieces } = await statement.execute(db)
  const [key, id] = pieces[0]?.last ?? []
  return {
    texts: pieces.map(({ text }) => text),
    rows: pieces.reduce((sum, piece) => sum + piece.rows, 0),
    last: key !== undefined && id !== undefined ? { list_key: key, id } : undefined,
    tookMs: performance.now() - begun,
  }
}
