import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AppContext } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { getScope } from '#server/db/database-scope.ts'
import { inOrderAfter, isUpTo, type ListOrder, type Place } from '#server/db/ordered-list.ts'
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
  last: Place | undefined
  tookMs: number
}

/** A batch that is being made, and where the next one begins; nowhere if nothing can come after it. */
type Begun = { batch: Promise<Batch>; end: Promise<Place | undefined> }

/**
 * A batch costs something of its own beside its lines: it grows while it is made so quickly that nobody waits for it,
 * and while its text is small. A slow database gets small ones. While nobody else calls, two are made side by side. While
 * others do, batches are small, one is made at a time, and between two is a pause, in which the processors are theirs: a
 * file may take longer, and nobody has to wait for it.
 */
const FIRST_ROWS = 1000
const MOST_ROWS = 4000
const QUICK_MS = 100
const SLOW_MS = 400
const PAUSE_SHARE = 0.5
const MOST_CHARACTERS = 2_000_000
const SIDE_BY_SIDE = 2
/**
 * A batch comes in pieces of so many lines: what fits the driver's buffers leaves memory as fast as it came, where a text
 * of a megabyte waits for a collection of everything.
 */
const LINES_OF_PIECE = 150

/**
 * The lines of all rows in batches of text, each found by the last key of the one before, as toBatches finds them. The
 * next are made while one is sent; between two nothing is held, neither a connection nor a cursor.
 */
export async function* toCsvBatches<DB, TB extends keyof DB, Row extends { id: string }>(
  { db, foreground }: Pick<AppContext, 'db' | 'foreground'>,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
): AsyncGenerator<string, void, void> {
  // The embedded engine has one session: what is asked side by side comes one after another.
  const isAlone = () => getScope(db).engine === 'postgres' && !foreground.isBusy()
  let size = FIRST_ROWS
  let newest = begin(db, columns, source, { size })
  const queue = [newest.batch]
  for (;;) {
    const batch = await queue.shift()
    if (batch === undefined) return
    const isBusy = foreground.isBusy()
    size = isBusy ? FIRST_ROWS : toNextSize(size, batch)
    const pauseMs = isBusy ? batch.tookMs * PAUSE_SHARE : 0
    while (queue.length < (isAlone() ? SIDE_BY_SIDE : 1)) {
      const after = await newest.end
      if (after === undefined) break
      newest = begin(db, columns, source, { after, size, pauseMs, isOneOfMany: isAlone() })
      queue.push(newest.batch)
    }
    yield* batch.texts
  }
}

/**
 * Begins a batch of `size` rows. Of one of many the last row is looked up first, by the index alone where the order has
 * one, so that the next need not wait for its lines: it has the rows up to that one, however many are added among them
 * meanwhile.
 */
function begin<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  columns: CsvColumns,
  source: CsvSource<DB, TB, Row>,
  part: { after?: Place; size: number; pauseMs?: number; isOneOfMany?: boolean },
): Begun {
  const { after, size, pauseMs = 0, isOneOfMany = false } = part
  const paused = pauseMs > 0 ? sleep(pauseMs) : Promise.resolve()
  const last = paused.then(() => (isOneOfMany ? findLast(source, size, after) : undefined))
  const batch = last.then((upTo) => readBatch(db, columns, source, { size, after, upTo }))
  const end = last.then((upTo) => upTo ?? batch.then((read) => (read.rows === size ? read.last : undefined)))
  // When the client leaves now nobody awaits them; whoever does gets the error all the same.
  batch.catch(() => undefined)
  end.catch(() => undefined)
  return { batch, end }
}

/** The `size`-th row after a place. Undefined where there are fewer. */
async function findLast<DB, TB extends keyof DB, Row extends { id: string }>(
  { rows, order }: CsvSource<DB, TB, Row>,
  size: number,
  after: Place | undefined,
): Promise<Place | undefined> {
  const found = await inOrderAfter(rows, order, after)
    .clearSelect()
    .select([sql<string>`(${order.by})::text`.as('list_key'), sql<string>`${order.id}`.as('id')])
    .limit(sql.lit(1))
    .offset(sql.lit(size - 1))
    .executeTakeFirst()
  return found as Place | undefined // the builder cannot show that clearing leaves the two columns alone
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
  { size, after, upTo }: { size: number; after: Place | undefined; upTo: Place | undefined },
): Promise<Batch> {
  const direction = sql.raw(order.direction)
  // Numbered where the rows come in their order anyway: the joins may mix them up.
  const at = sql<number>`row_number() over (order by ${order.by} ${direction}, ${order.id} ${direction}) - 1`
  const page = inOrderAfter(upTo ? rows.where(isUpTo(order, upTo)) : rows, order, after)
    .select([order.by.as('list_by'), at.as('at')])
    .$if(upTo === undefined, (rows) => rows.limit(sql.lit(size)))
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
