import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

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

export const milliseconds = (time: number) => `${time.toFixed(2)} ms`

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

export const perSecond = (requests: number) => `${Math.round(requests).toLocaleString('en')}/s`
