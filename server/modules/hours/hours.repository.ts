import { type RawBuilder, sql } from 'kysely'
import type { DayHours, HourException, HourSet, HourSpan } from '#contract/opening-hours.ts'
import { toMark, toMinutes } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'

/** The pod or location that the hours belong to. */
export type HourScope = { owner: 'pod' | 'location'; id: string }

/** Minutes since midnight; null when the day is closed. */
type SpanRow = { opens: number | null; closes: number | null }
type WeekRow = SpanRow & { weekday: number }
export type ExceptionRow = SpanRow & { date: string; label: string }

export async function getHourSet(db: Db | Tx, scope: HourScope): Promise<HourSet> {
  const { rows } = await sql<{ week: WeekRow[]; exceptions: ExceptionRow[] }>`
    select ${weekOf(scope.owner, sql`${scope.id}::uuid`)} as week,
           ${exceptionsOf(scope.owner, sql`${scope.id}::uuid`)} as exceptions`.execute(db)
  return toHourSet(rows[0]?.week ?? [], rows[0]?.exceptions ?? [])
}

export function toHourSet(week: readonly WeekRow[], exceptions: readonly ExceptionRow[]): HourSet {
  return {
    week: group(
      week,
      ({ weekday }) => weekday,
      ({ weekday }) => ({ weekday }),
    ),
    exceptions: group(
      exceptions,
      ({ date }) => date,
      ({ date, label }) => ({ date, label }),
    ),
  }
}

/** Groups the rows by day, in the order in which they come. */
function group<Row extends SpanRow, Head extends object>(
  rows: readonly Row[],
  key: (row: Row) => unknown,
  head: (row: Row) => Head,
): (Head & Pick<DayHours, 'spans'>)[] {
  const groups = new Map<unknown, Head & Pick<DayHours, 'spans'>>()
  for (const row of rows) {
    const known = groups.get(key(row)) ?? { ...head(row), spans: [] }
    groups.set(key(row), known)
    if (row.opens !== null && row.closes !== null)
      known.spans.push({ opens: toMark(row.opens), closes: toMark(row.closes) })
  }
  return [...groups.values()]
}

const columnOf = { pod: sql.ref('pod_id'), location: sql.ref('location_id') }

/** Selects all rows of one owner as JSON, in order. */
function weekOf(owner: HourScope['owner'], id: RawBuilder<unknown>): RawBuilder<WeekRow[]> {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('weekday', weekday, 'opens', opens, 'closes', closes)
                                        order by weekday, opens), '[]')
                from opening_hours where ${columnOf[owner]} = ${id})`
}

function exceptionsOf(owner: HourScope['owner'], id: RawBuilder<unknown>, dates = sql``): RawBuilder<ExceptionRow[]> {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('date', date, 'label', label, 'opens', opens, 'closes', closes)
                                        order by date, opens), '[]')
                from hour_exceptions where ${columnOf[owner]} = ${id} ${dates})`
}

/** Selects the hours of a row of `pods` and of its location as one JSON object, with exceptions from `from` to `to`. */
export function hoursOfPod(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<HoursOfPod> {
  const dates = sql`and date between ${from}::date and ${to}::date`
  const [pod, location] = [sql.ref('pods.id'), sql.ref('pods.location_id')]
  return sql`jsonb_build_object(
    'pod', jsonb_build_object('week', ${weekOf('pod', pod)}, 'exceptions', ${exceptionsOf('pod', pod, dates)}),
    'location', jsonb_build_object('week', ${weekOf('location', location)}, 'exceptions', ${exceptionsOf('location', location, dates)})
  )`
}

type HourRows = { week: WeekRow[]; exceptions: ExceptionRow[] }
export type HoursOfPod = { pod: HourRows; location: HourRows }

/** Returns the hours of a pod and then of its location, in the order in which they count. */
export function toHourSets({ pod, location }: HoursOfPod): HourSet[] {
  return [pod, location].map(({ week, exceptions }) => toHourSet(week, exceptions))
}

/** Selects the hours for the history of a pod or location, whose row is `record`. */
export function hoursOfRecord(owner: HourScope['owner']): RawBuilder<unknown> {
  const id = sql.ref('record.id')
  return sql`jsonb_build_object('opening_hours', ${weekOf(owner, id)}, 'hour_exceptions', ${exceptionsOf(owner, id)})`
}

export async function replaceHours(tx: Tx, scope: HourScope, { week, exceptions }: HourSet): Promise<void> {
  await replaceRows(tx, scope, {
    opening_hours: week.flatMap(toWeekRows),
    hour_exceptions: exceptions.flatMap(toExceptionRows),
  })
}

/** Replaces hours with rows as stored in the history. A table that is left out stays as it is. */
export async function replaceRows(tx: Tx, scope: HourScope, { opening_hours, hour_exceptions }: Fields): Promise<void> {
  const tables = { opening_hours, hour_exceptions }
  for (const [table, rows] of Object.entries(tables)) {
    if (!Array.isArray(rows)) continue
    const owned = rows.map((row: object) => Object.assign(row, { [`${scope.owner}_id`]: scope.id }))
    await sql`delete from ${sql.table(table)} where ${columnOf[scope.owner]} = ${scope.id}`.execute(tx)
    await sql`
      insert into ${sql.table(table)}
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(owned)}::jsonb)`.execute(tx)
  }
}

function toRows<Head extends object>(spans: readonly HourSpan[], head: Head): (Head & SpanRow)[] {
  if (spans.length === 0) return [{ ...head, opens: null, closes: null }]
  return spans.map(({ opens, closes }) => ({ ...head, opens: toMinutes(opens), closes: toMinutes(closes) }))
}

const toWeekRows = ({ spans, weekday }: DayHours): WeekRow[] => toRows(spans, { weekday })

const toExceptionRows = ({ spans, date, label }: HourException): ExceptionRow[] => toRows(spans, { date, label })
