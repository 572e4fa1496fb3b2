import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

export type Row = { what: string; reached: string; limit: string; ratio: number; aim: string }
export type EngineReport = { engine: string; version?: string; rows: Row[] }

const PAGE = 'docs/benchmarks.md'
const START = '<!-- measured: npm run bench writes from here -->'
const END = '<!-- to here -->'

/** Prints the tables, and puts those of a whole run into docs/benchmarks.md between its two marks. */
export async function writeReport(reports: readonly EngineReport[], { isWhole }: { isWhole: boolean }): Promise<void> {
  const measured = [
    `Measured on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
    ...reports.map(toTable),
  ].join('\n\n')
  process.stdout.write(`\n${measured}\n`)
  if (!isWhole) return
  const page = await readFile(PAGE, 'utf8')
  const before = page.slice(0, page.indexOf(START) + START.length)
  const after = page.slice(page.indexOf(END))
  await writeFile(PAGE, `${before}\n\n${measured}\n\n${after}`)
}

function toTable({ engine, version, rows }: EngineReport): string {
  const title = version === undefined ? engine : `${engine} (PostgreSQL ${version})`
  const head = `### ${title}\n\n| what | reached | limit | ratio | aim |\n|---|---|---|---|---|`
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.reached} | ${row.limit} | ${Number.isNaN(row.ratio) ? '–' : row.ratio.toFixed(2)} | ${row.aim} |`,
  )
  return [head, ...lines].join('\n')
}

export const milliseconds = (time: number) => `${time.toFixed(2)} ms`

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

export const perSecond = (requests: number) => `${Math.round(requests).toLocaleString('en')}/s`
