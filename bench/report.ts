import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { p95, timeEach } from './measure.ts'

export type Row = { what: string; reached: string; limit: string; ratio: number; aim: string }
export type EngineReport = { engine: string; version?: string; rows: Row[] }

const PAGE = 'docs/benchmarks.md'
const START = '<!-- measured: npm run bench writes from here -->'
const END = '<!-- to here -->'

/**
 * Prints the table, and writes it into docs/benchmarks.md between the two markers, replacing the table with the same
 * heading. Tables of parts that did not run stay as they were, each with its own day and machine.
 */
export async function writeReport(report: EngineReport): Promise<void> {
  const table = toTable(report)
  process.stdout.write(`\n${table}\n`)
  const page = await readFile(PAGE, 'utf8')
  const [start, end] = [page.indexOf(START) + START.length, page.indexOf(END)]
  const tables = page
    .slice(start, end)
    .split(/^(?=### )/m)
    .filter((text) => text.startsWith('### '))
    .map((text) => text.trim())
  const at = tables.findIndex((text) => toHeading(text) === toHeading(table))
  if (at === -1) tables.push(table)
  else tables[at] = table
  await writeFile(PAGE, `${page.slice(0, start)}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`)
}

function toHeading(table: string): string {
  return table.slice(0, table.indexOf('\n'))
}

function toTable({ engine, version, rows }: EngineReport): string {
  const database = version === undefined ? '' : `PostgreSQL ${version}, `
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const lines = rows.map(({ what, reached, limit, ratio, aim }) => {
    const shown = Number.isNaN(ratio) ? '–' : ratio.toFixed(2)
    return `| ${what} | ${reached} | ${limit} | ${shown} | ${aim} |`
  })
  return [
    `### ${engine}`,
    '',
    `${database}${machine}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| what | reached | limit | ratio | aim |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

type Compared = {
  what: string
  product: number
  limit: number
  /** What the limit is, unless it is a number that was chosen. */
  of?: string
  aim?: string
  show?: (value: number) => string
}

/** Returns the row of what was measured and its limit, by default of a time that is to stay below a chosen one. */
export function toRow({ what, product, limit, of, aim = '≤ 1', show = milliseconds }: Compared): Row {
  return {
    what,
    reached: show(product),
    limit: [show(limit), of].filter(Boolean).join(' '),
    ratio: product / limit,
    aim,
  }
}

/** Measures how long a request takes, after some that are not counted, and returns the row of its p95. */
export async function measureRequest(
  what: string,
  limit: number,
  { warmUp, requests }: { warmUp: number; requests: number },
  request: (n: number) => Promise<unknown>,
): Promise<Row> {
  await timeEach(warmUp, request)
  return toP95Row(what, limit, await timeEach(requests, request))
}

export function toP95Row(what: string, limit: number, times: readonly number[]): Row {
  const product = p95(times)
  return { ...toRow({ what, product, limit }), reached: `${milliseconds(product)} p95` }
}

export const milliseconds = (time: number) => `${time.toFixed(2)} ms`

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

export const perSecond = (count: number) => `${Math.round(count).toLocaleString('en')}/s`
