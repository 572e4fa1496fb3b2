import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Checks that docs/rules.md and everything that refers to it agree: every rule names tests that exist, or says "Shown
 * by" where no test is possible; every citation is of a rule that exists; every path in the documents exists; every
 * decision has its date and status; every requirement of docs/security.md that is met names its proof.
 */

const rulesPage = 'docs/rules.md'
const securityPage = 'docs/security.md'
const decisionsFolder = 'docs/decisions/'

/**
 * @param {ReadonlyMap<string, string>} files All text files of the repository by their path.
 * @returns {{ problems: string[], rules: number, tests: number, cites: number }}
 */
export function checkRules(files) {
  const problems = []
  const { rules, tests } = readRules(files, problems)
  const cites = checkCites(files, rules, problems)
  checkPaths(files, problems)
  checkDecisions(files, problems)
  checkSecurity(files, problems)
  return { problems, rules: rules.size, tests, cites }
}

/**
 * Reads the rules. A rule begins with `**4.2 Title.**` under `## 4. …`; its tests follow, each as "- `file` › title".
 */
function readRules(files, problems) {
  const rules = new Set()
  let tests = 0
  let section
  let open
  const close = () => {
    if (open && !open.isShown)
      problems.push(`${open.where}: rule ${open.number} names no test, nor by what it is shown`)
  }
  for (const [where, line] of linesOf(files, rulesPage)) {
    const heading = /^## (\d+)\. /.exec(line)
    if (heading) section = heading[1]
    const rule = /^\*\*(\d+\.\d+) /.exec(line)
    if (rule) {
      close()
      const number = rule[1]
      open = { number, where, isShown: false }
      if (rules.has(number)) problems.push(`${where}: there is already a rule ${number}`)
      if (number.split('.')[0] !== section) problems.push(`${where}: rule ${number} stands in section ${section}`)
      rules.add(number)
    }
    if (!line.startsWith('- ')) continue
    const test = /^- `([^`]+)` › (.+)$/.exec(line)
    if (open) open.isShown ||= test !== null || /^- Shown by: \S/.test(line)
    if (!test) continue
    tests++
    const [, file, title] = test
    if (!files.has(file)) problems.push(`${where}: ${file} does not exist`)
    else if (!hasTitle(files.get(file), title)) problems.push(`${where}: ${file} has no test titled "${title}"`)
  }
  close()
  return { rules, tests }
}

/** Returns whether the source has a test with this title, in any kind of quotes. */
function hasTitle(source, title) {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?['’]")
  return new RegExp(`(it|test|describe)(\\.\\w+)*(\\([^\`]*?\\))?\\(\\s*['"\`]${escaped}['"\`]`, 's').test(source)
}

/**
 * Checks citations. The section sign is reserved for rules, as in `rules §4.2` and `rules §4.2, §4.5`. Rules refer to
 * each other by number, as in (4.2). Of other documents only decisions are cited, as in `docs/decisions/020`.
 */
function checkCites(files, rules, problems) {
  let count = 0
  const decisions = new Set([...files.keys()].map((path) => /^docs\/decisions\/(\d{3})-/.exec(path)?.[1]))
  for (const path of files.keys()) {
    // The script itself and its test contain the patterns that are looked for.
    if (path.startsWith('scripts/rules.')) continue
    for (const [where, line] of linesOf(files, path)) {
      const rest = line.replaceAll(/\brules ((?:(?:, | and )?§\d+\.\d+)+)/g, (_, cites) => {
        for (const [, number] of cites.matchAll(/§(\d+\.\d+)/g)) {
          count++
          if (!rules.has(number)) problems.push(`${where}: there is no rule ${number}`)
        }
        return ''
      })
      if (rest.includes('§')) problems.push(`${where}: § is for cites such as "rules §4.2"`)
      for (const [, number] of line.matchAll(/\bdecisions\/(\d{3})\b/g))
        if (!decisions.has(number)) problems.push(`${where}: there is no decision ${number}`)
      if (path !== rulesPage || line.startsWith('- ')) continue
      for (const [, number] of line.matchAll(/[( ](\d+\.\d+)\)/g))
        if (!rules.has(number)) problems.push(`${where}: there is no rule ${number}`)
    }
  }
  return count
}

/**
 * Checks links in Markdown files, and paths in backticks unless they contain a placeholder. Paths in a superseded
 * decision may no longer exist.
 */
function checkPaths(files, problems) {
  const folders = new Set([...files.keys()].flatMap(foldersOf))
  const exists = (path) => files.has(path) || folders.has(path.replace(/\/$/, ''))
  for (const path of files.keys()) {
    if (!path.endsWith('.md') || path === rulesPage) continue
    const isSuperseded = files.get(path).includes('**Status**: superseded')
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    for (const [where, line] of linesOf(files, path)) {
      for (const [, target] of line.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^\w+:/.test(target) || exists(join(folder, target).replaceAll('\\', '/'))) continue
        problems.push(`${where}: there is no ${target}`)
      }
      if (isSuperseded) continue
      for (const [, name] of line.matchAll(/`((?:\.ci|bench|contract|deploy|docs|e2e|scripts|server|web)\/[\w./-]*)`/g))
        if (!exists(name)) problems.push(`${where}: there is no ${name}`)
    }
  }
}

/** Checks that every decision has its date and status, and that the list of decisions agrees. */
function checkDecisions(files, problems) {
  const list = files.get(`${decisionsFolder}README.md`) ?? ''
  for (const [path, text] of files) {
    const number = /^docs\/decisions\/(\d{3})-[\w-]+\.md$/.exec(path)?.[1]
    if (number === undefined) continue
    const [, date, status, later] =
      /^\*\*Date\*\*: (\d{4}-\d{2}-\d{2}) · \*\*Status\*\*: (accepted|superseded by \[(\d{3})\]\([\w.-]+\))$/m.exec(
        text,
      ) ?? []
    if (!status) {
      problems.push(`${path} needs "**Date**: 2026-11-21 · **Status**: accepted", or "superseded by [015](file.md)"`)
      continue
    }
    const row = list.split('\n').find((line) => line.startsWith(`| [${number}](`))
    const cells = `| ${date} | ${later === undefined ? 'accepted' : `superseded by ${later}`} |`
    if (!row?.endsWith(cells))
      problems.push(`${decisionsFolder}README.md needs a line for ${number} that ends with ${cells}`)
  }
}

/**
 * Checks the requirements. Each is a row `| 1.2.3 | level | in a few words | state | what proves or explains it |`. A
 * requirement that is met names a rule, or tests as "`file` › title", separated by semicolons. The page states how many
 * requirements have each state, and so does a line of each chapter.
 */
function checkSecurity(files, problems) {
  const states = ['met', 'not applicable', 'operator', 'not met']
  const count = () => new Map(states.map((state) => [state, 0]))
  const total = count()
  const seen = new Set()
  /** The lines that state the counts, with the actual counts. */
  const said = []
  let chapter
  for (const [where, line] of linesOf(files, securityPage)) {
    const heading = /^## V?(\d+) /.exec(line)
    if (heading) chapter = { number: heading[1], tally: count() }
    const counts = /^\*\*(\d+) requirements\*\*: (.*)\.$/.exec(line)
    if (counts) said.push({ where, text: counts[2], of: Number(counts[1]), tally: chapter?.tally ?? total })
    const row = /^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| (.+) \|$/.exec(line)
    if (!row) continue
    const [, number, , , state, proof] = row
    if (seen.has(number)) problems.push(`${where}: there is already a requirement ${number}`)
    seen.add(number)
    if (number.split('.')[0] !== chapter?.number)
      problems.push(`${where}: ${number} stands in chapter ${chapter?.number}`)
    if (!states.includes(state)) {
      problems.push(`${where}: "${state}" is none of ${states.join(', ')}`)
      continue
    }
    for (const tally of [total, chapter?.tally]) tally?.set(state, tally.get(state) + 1)
    const tests = [...proof.matchAll(/`([^`]+)` › ([^;|]+)/g)]
    for (const [, file, title] of tests) {
      if (!files.has(file)) problems.push(`${where}: ${file} does not exist`)
      else if (!hasTitle(files.get(file), title.trim()))
        problems.push(`${where}: ${file} has no test titled "${title.trim()}"`)
    }
    const isProven = tests.length > 0 || /\brules §\d/.test(proof)
    if (state === 'met' && !isProven) problems.push(`${where}: ${number} is met by no rule and no test`)
  }
  for (const { where, text, of, tally } of said) {
    const expected = [...tally].filter(([, number]) => number > 0).map(([state, number]) => `${number} ${state}`)
    const sum = [...tally.values()].reduce((one, other) => one + other, 0)
    if (text !== expected.join(', ') || of !== sum)
      problems.push(`${where}: the rows say "**${sum} requirements**: ${expected.join(', ')}."`)
  }
}

function linesOf(files, path) {
  return (files.get(path) ?? '').split('\n').map((line, index) => [`${path}:${index + 1}`, line])
}

function foldersOf(path) {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Reads the repository. Images, fonts and other binary files are included, with empty content. */
function readRepository() {
  const ignored = new Set([...readFileSync('.gitignore', 'utf8').split('\n'), '.git'])
  const isText = (name) => !name.includes('.') || /\.(ts|tsx|mjs|js|css|html|md|json|svg|example|yaml)$/.test(name)
  const files = new Map()
  const visit = (folder) => {
    for (const entry of readdirSync(folder || '.', { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (ignored.has(entry.name)) continue
      if (entry.isDirectory()) visit(path)
      else files.set(path, isText(entry.name) ? readFileSync(path, 'utf8') : '')
    }
  }
  visit('')
  return files
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, rules, tests, cites } = checkRules(readRepository())
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exit(1)
  process.stdout.write(`${rules} rules, ${tests} tests named, ${cites} cites, all of which exist\n`)
}
