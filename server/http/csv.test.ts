import { parse } from 'csv-parse/sync'
import { array, assert, asyncProperty, constantFrom, oneof, string, tuple } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CsvSeparator } from '#contract/fields.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts'
import { BLANKS, CSV_LINE_END, CSV_START, INVISIBLE, toCsvLine, toCsvNumber, toCsvText } from './csv.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.remove())

const parseStrictly = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })

/** Returns the record as the database makes it. */
async function lineOf(cells: readonly (string | number | null)[], separator: CsvSeparator = 'comma'): Promise<string> {
  const line = toCsvLine(
    cells.map((cell) =>
      typeof cell === 'number' ? toCsvNumber(sql`${String(cell)}::numeric`) : toCsvText(sql`${cell}::text`),
    ),
    separator,
  )
  const { rows } = await sql<{ line: string }>`select ${line} as line`.execute(database.db)
  return rows[0]?.line ?? ''
}

describe('a CSV record', () => {
  it.each([
    [['plain', 'two words'], 'plain,two words'],
    [['a,b', 'c'], '"a,b",c'],
    [['say "hi"'], '"say ""hi"""'],
    [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"'],
    [[' padded', 'padded '], '" padded","padded "'],
    [['', null, 'x'], ',,x'],
    [['Zoë', 'ليلى', '🙂'], 'Zoë,ليلى,🙂'],
    [['<b>&amp;</b>', "O'Neil", '\\n'], '"<b>&amp;</b>",O\'Neil,\\n'],
    [['a;b', 'x;'], '"a;b","x;"'],
  ])('quotes the cells %j only where necessary', async (cells, line) => {
    expect(await lineOf(cells)).toBe(`${line}\r\n`)
  })
})

describe('a CSV record with semicolons', () => {
  it('has decimal commas, and is readable by a strict parser', async () => {
    const line = await lineOf(['a;b', 'c,d', 1234.5, -0.75, 3, null], 'semicolon')
    expect(line).toBe('"a;b";"c,d";1234,5;-0,75;3;\r\n')
    expect(parse(line, { delimiter: ';' })).toEqual([['a;b', 'c,d', '1234,5', '-0,75', '3', '']])
  })
})

describe('a CSV cell', () => {
  it.each([
    '=1+1',
    '+27 82 555',
    '-5',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '=cmd|"/C calc"!A0',
    ';=1+1',
    ';1',
    '；1',
    '\u200B=1',
    '\uFEFF=1',
    '\uFEFF\uFEFF+1',
    '\u00A0-1',
    '\u2060@x',
    '\u00AD=1',
    '\u200E\u202E=1',
    '\u2066=1\u2069',
    '\u061C=1',
    '\u0001=1',
    '\u007F=1',
    '\u0085=1',
    '\u180E=1',
    '\u3164=1',
    '\uFE0F=1',
    '\u{E0001}=1',
    ' \u200B\u00A0\t;1',
  ])('with the text %j cannot become a formula', async (text) => {
    expect(parseStrictly(await lineOf([text, 'next']))).toEqual([[`'${text}`, 'next']])
  })

  it.each(['1+1', 'a=b', 'x@y.z', "'quoted", '2026-11-21', 'N/A', '\u200Bx', '👩\u200D👧', '−5'])(
    'with the harmless text %j stays unchanged',
    async (text) => {
      expect(await lineOf([text])).toBe(`${text}\r\n`)
    },
  )

  it.each([
    [0, '0'],
    [-12.5, '-12.5'],
    [1_000_000, '1000000'],
    [0.1, '0.1'],
    [9_999_999_999.99, '9999999999.99'],
  ])('with the number %d stays a number', async (number, text) => {
    expect(await lineOf([number])).toBe(`${text}\r\n`)
  })

  it('with a numeric value has no trailing zeros', async () => {
    const amounts = sql`(values ('-150.50'::numeric), ('2.5000'), ('100.00'), ('0.00')) as amounts (amount)`
    const line = toCsvLine([toCsvNumber(sql`amount`)], 'comma')
    const { rows } = await sql<{ line: string }>`select ${line} as line from ${amounts}`.execute(database.db)
    expect(rows.map((row) => row.line.trim())).toEqual(['-150.5', '2.5', '100', '0'])
  })
})

/** What rules §13.2 demands of a text, implemented a second time, in JavaScript instead of SQL. */
const beginsFormula = /^[\t\r\n]|^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[;=+\-@；＝＋－＠]/u
const guard = (text: string) => (beginsFormula.test(text) ? `'${text}` : text)
const quote = (text: string) => (/[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const pieces = Array.from(
  `aZ09é"',\r\n =+-@＝＋－＠\t\v\f;\\.~!；|%_🙂\u0301\u00AD\u061C\u0085\u180E\u200B\u200D\u200E\u202E\u2060\u2066\u3164\uFE0F\u{E0001}\uFFFD\u{10FFFF}${BLANKS}`,
)
const tricky = string({ unit: constantFrom(...pieces) })
/** Texts in the database cannot hold a NUL. */
const text = oneof(tricky, string({ unit: 'binary' })).filter((text) => !text.includes('\0'))

describe('CSV encoding of any text', () => {
  it('knows every whitespace character of JavaScript', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    expect(Array.from(BLANKS)).toEqual(all.filter((character) => /\s/.test(character)))
  })

  it('knows every invisible character', () => {
    const shown: string[] = []
    const hidden = new RegExp(`^[${INVISIBLE}]$`, 'u')
    for (let code = 1; code < 0x110000; code++) {
      const character = String.fromCodePoint(code)
      if (/[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character) && !hidden.test(character))
        shown.push(code.toString(16))
    }
    expect(shown).toEqual([])
  })

  it('is readable by a strict parser, and no cell begins like a formula', async () => {
    await assert(
      asyncProperty(array(tuple(text, text, text), { minLength: 1 }), async (records) => {
        const [first, second, third] = [0, 1, 2].map((column) => records.map((record) => record[column]))
        const line = toCsvLine([toCsvText(sql`a`), toCsvText(sql`b`), toCsvText(sql`c`)], 'comma')
        const { rows } = await sql<{ line: string }>`
          select ${line} as line from unnest(${first}::text[], ${second}::text[], ${third}::text[])
            with ordinality as texts (a, b, c, place) order by place`.execute(database.db)
        const lines = rows.map(({ line }) => line)
        expect(lines).toEqual(
          records.map((record) => record.map((cell) => quote(guard(cell))).join(',') + CSV_LINE_END),
        )
        const [, ...read] = parseStrictly(`${CSV_START}A,B,C${CSV_LINE_END}${lines.join('')}`)
        expect(read).toEqual(records.map((record) => record.map(guard)))
      }),
      { numRuns: 300 },
    )
  })
})
