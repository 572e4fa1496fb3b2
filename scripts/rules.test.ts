import { describe, expect, it } from 'vitest'
import { checkRules } from './rules.mjs'

const page = `# Rules

## 4. Bookings

**4.1 Marks.** A day has 73.

- \`contract/slots.test.ts\` › are 73

**4.2 Look.** Quiet.

- Shown by: it is a matter of taste.
`

const sound: Record<string, string> = {
  'docs/rules.md': page,
  'contract/slots.test.ts': "it('are 73', () => {})",
  'contract/slots.ts': '/** The marks of a day (rules §4.1, §4.2). */',
}

function findProblems(changes: Record<string, string>): string[] {
  return checkRules(new Map(Object.entries({ ...sound, ...changes }))).problems
}

it('reports no problem when rules, tests and citations agree', () => {
  expect(checkRules(new Map(Object.entries(sound)))).toEqual({ problems: [], rules: 2, tests: 1, cites: 2 })
})

describe('rules', () => {
  it('need a test, or a reason why there is none', () => {
    const withoutProof = page.replace('- Shown by: it is a matter of taste.', '')
    expect(findProblems({ 'docs/rules.md': withoutProof })).toEqual([
      'docs/rules.md:9: rule 4.2 names no test, nor by what it is shown',
    ])
  })

  it('name tests by an existing file and title', () => {
    expect(findProblems({ 'docs/rules.md': page.replace('slots.test', 'marks.test') })).toEqual([
      'docs/rules.md:7: contract/marks.test.ts does not exist',
    ])
    expect(findProblems({ 'contract/slots.test.ts': "it('are 72', () => {})" })).toEqual([
      'docs/rules.md:7: contract/slots.test.ts has no test titled "are 73"',
    ])
  })

  it.each(["it.each(['a'])('are 73', () => {})", 'test(`are 73`, () => {})', "describe('are 73', () => {})"])(
    'recognise the title in %s',
    (source) => {
      expect(findProblems({ 'contract/slots.test.ts': source })).toEqual([])
    },
  )

  it('have a unique number that belongs to their section', () => {
    expect(findProblems({ 'docs/rules.md': page.replace('4.2 Look', '4.1 Look'), 'contract/slots.ts': '' })).toEqual([
      'docs/rules.md:9: there is already a rule 4.1',
    ])
    expect(findProblems({ 'docs/rules.md': page.replace('## 4.', '## 5.') })).toHaveLength(2)
  })
})

describe('citations', () => {
  it('refer to rules that exist', () => {
    expect(findProblems({ 'contract/slots.ts': '\n// rules §4.1 and §4.3' })).toEqual([
      'contract/slots.ts:2: there is no rule 4.3',
    ])
  })

  it('of rules within the rules, and of decisions, exist as well', () => {
    const rules = page.replace('Quiet.', 'Quiet (4.1), but not (4.3), nor `on` as there (rules §4.2, 4.4).')
    expect(findProblems({ 'docs/rules.md': rules })).toEqual([
      'docs/rules.md:9: there is no rule 4.3',
      'docs/rules.md:9: there is no rule 4.4',
    ])
    expect(findProblems({ 'web/main.tsx': '// as docs/decisions/020 says' })).toEqual([
      'web/main.tsx:1: there is no decision 020',
    ])
  })

  it.each(['spec §2', 'decisions §4', 'RFC 4180 §2.4', 'rules §4.1 and spec §5'])(
    'are refused for other documents: %s',
    (cite) => {
      expect(findProblems({ 'web/main.tsx': `// ${cite}` })).toEqual([
        'web/main.tsx:1: § is for cites such as "rules §4.2"',
      ])
    },
  )
})

it('reports links and paths in documents that lead nowhere', () => {
  expect(findProblems({ 'README.md': '[Slots](contract/slots.ts) [Rules](docs/rules.md#4-bookings)' })).toEqual([])
  expect(findProblems({ 'docs/glossary.md': '[Slots](../contract/marks.ts)' })).toEqual([
    'docs/glossary.md:1: there is no ../contract/marks.ts',
  ])
  const architecture = '`contract/` `contract/slots.ts` `contract/<domain>.ts` `contract/marks.ts`'
  expect(findProblems({ 'docs/architecture.md': architecture })).toEqual([
    'docs/architecture.md:1: there is no contract/marks.ts',
  ])
  expect(findProblems({ 'docs/glossary.md': '**Status**: superseded\n`contract/marks.ts`' })).toEqual([])
})

describe('decisions', () => {
  const decision = '# 001 One\n\n**Date**: 2026-11-21 · **Status**: superseded by [002](002-two.md)\n'
  const list = '| [001](001-one.md) | One | 2026-11-21 | superseded by 002 |\n'
  const files = { 'docs/decisions/001-one.md': decision, 'docs/decisions/002-two.md': decision.replace('001', '002') }

  it('have a date and a status, which their list repeats', () => {
    const second = list.replaceAll('001', '002').replace('-one', '-two')
    expect(findProblems({ ...files, 'docs/decisions/README.md': list + second })).toEqual([])
    expect(
      findProblems({ ...files, 'docs/decisions/README.md': list.replace('superseded by 002', 'accepted') + second }),
    ).toEqual(['docs/decisions/README.md needs a line for 001 that ends with | 2026-11-21 | superseded by 002 |'])
  })

  it('are refused without a date and a status', () => {
    expect(findProblems({ 'docs/decisions/001-one.md': '# 001 One\n' })).toEqual([
      'docs/decisions/001-one.md needs "**Date**: 2026-11-21 · **Status**: accepted", or "superseded by [015](file.md)"',
    ])
  })
})

describe('security requirements', () => {
  const row = (number: string, state: string, proof: string) => `| ${number} | 1 | queries | ${state} | ${proof} |`
  const toPage = (rows: string[], counts: string) =>
    `# Security\n\n**${rows.length} requirements**: ${counts}.\n\n## V1 Input\n\n**${rows.length} requirements**: ${counts}.\n\n${rows.join('\n')}\n`
  const find = (rows: string[], counts: string) => findProblems({ 'docs/security.md': toPage(rows, counts) })
  const met = row('1.2.4', 'met', 'rules §4.1; `contract/slots.test.ts` › are 73; no text is code')

  it('name an existing rule or test when they are met', () => {
    expect(find([met, row('1.2.5', 'not met', 'needs a vault')], '1 met, 1 not met')).toEqual([])
    expect(find([row('1.2.4', 'met', 'it is so')], '1 met')).toEqual([
      'docs/security.md:9: 1.2.4 is met by no rule and no test',
    ])
    expect(find([row('1.2.4', 'met', 'rules §4.9')], '1 met')).toEqual(['docs/security.md:9: there is no rule 4.9'])
    expect(find([row('1.2.4', 'met', '`contract/slots.test.ts` › are 72')], '1 met')).toEqual([
      'docs/security.md:9: contract/slots.test.ts has no test titled "are 72"',
    ])
  })

  it('are counted correctly on the page and in their chapter', () => {
    expect(find([met, row('1.2.5', 'operator', 'set it')], '2 met')).toEqual([
      'docs/security.md:3: the rows say "**2 requirements**: 1 met, 1 operator."',
      'docs/security.md:7: the rows say "**2 requirements**: 1 met, 1 operator."',
    ])
  })

  it('appear once, in their chapter, with one of four states', () => {
    expect(find([met, met], '2 met')).toEqual(['docs/security.md:10: there is already a requirement 1.2.4'])
    expect(find([row('2.2.4', 'met', 'rules §4.1')], '1 met')).toEqual([
      'docs/security.md:9: 2.2.4 stands in chapter 1',
    ])
    expect(find([met, row('1.2.5', 'nearly', 'rules §4.1')], '1 met')).toContain(
      'docs/security.md:10: "nearly" is none of met, not applicable, operator, not met',
    )
  })
})
