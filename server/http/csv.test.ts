import { parse } from 'csv-parse/sync'
import { array, assert, constantFrom, property, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CSV_START, toCsvLine } from './csv.ts'

const parseStrictly = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })

describe('a record', () => {
  it.each([
    [['plain', 'two words'], 'plain,two words'],
    [['a,b', 'c'], '"a,b",c'],
    [['say "hi"'], '"say ""hi"""'],
    [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"'],
    [[' padded', 'padded '], '" padded","padded "'],
    [['', null, 'x'], ',,x'],
    [['Zoë', 'ليلى', '🙂'], 'Zoë,ليلى,🙂'],
    [['<b>&amp;</b>', "O'Neil", '\\n', ';'], "<b>&amp;</b>,O'Neil,\\n,;"],
  ])('of %j', (cells, line) => {
    expect(toCsvLine(cells)).toBe(`${line}\r\n`)
  })
})

describe('a cell', () => {
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
  ])('of the text %j cannot become a formula', (text) => {
    expect(parseStrictly(toCsvLine([text, 'next']))).toEqual([[`'${text}`, 'next']])
  })

  it.each(['1+1', 'a=b', 'x@y.z', "'quoted", '2026-11-21', 'N/A'])('of the harmless text %j stays', (text) => {
    expect(toCsvLine([text])).toBe(`${text}\r\n`)
  })

  it.each([
    [0, '0'],
    [-12.5, '-12.5'],
    [1_000_000, '1000000'],
    [0.1, '0.1'],
    [9_999_999_999.99, '9999999999.99'],
  ])('of the number %d stays a number', (number, text) => {
    expect(toCsvLine([number])).toBe(`${text}\r\n`)
  })
})

const guard = (text: string) => (/^[\t\r\n]|^\s*[=+]/.test(text) ? `'${text}` : text)

describe('whatever the texts', () => {
  const cell = string({ unit: constantFrom('a', 'é', '"', ',', '\r', '\n', ' ', '=', '+', "'", '\t', ';', '🙂') })

  it('a strict parser reads them back, and none begins as a formula does', () => {
    assert(
      property(array(tuple(cell, cell, cell), { minLength: 1 }), (records) => {
        const file = CSV_START + toCsvLine(['A', 'B', 'C']) + records.map(toCsvLine).join('')
        const [, ...read] = parseStrictly(file)
        expect(read).toEqual(records.map((record) => record.map(guard)))
      }),
    )
  })
})
