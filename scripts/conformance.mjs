import { existsSync, readFileSync } from 'node:fs'

/**
 * Holds docs/conformance.md to its word: a row of its tables is `| clause | what it asks | file › title |`, and every
 * test named there has to exist. Several proofs of a row are separated by `<br>`.
 */

const page = 'docs/conformance.md'
const problems = []
let rows = 0
let proofs = 0

for (const [index, line] of readFileSync(page, 'utf8').split('\n').entries()) {
  if (!line.startsWith('|') || /^\|[\s:-]+\|/.test(line)) continue
  const cells = line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
  if (cells[0] === 'Clause') continue
  rows++
  const where = `${page}:${index + 1}`
  if (cells.length !== 3) problems.push(`${where} has ${cells.length} cells, not 3`)
  for (const proof of (cells[2] ?? '').split('<br>').map((text) => text.trim())) {
    const match = /^`([^`]+)` › (.+)$/.exec(proof)
    if (!match) {
      problems.push(`${where} names no test: "${proof}"`)
      continue
    }
    proofs++
    const [, file, title] = match
    if (!existsSync(file)) problems.push(`${where} names ${file}, which does not exist`)
    else if (!hasTitle(file, title.replaceAll('\\|', '|')))
      problems.push(`${where}: ${file} has no test titled "${title}"`)
  }
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(`${rows} clauses, ${proofs} proofs, every one there\n`)

/** The title as the source spells it, in any kind of quotes, as the first argument of a test. */
function hasTitle(file, title) {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?['’]")
  return new RegExp(`(it|test|describe)(\\.\\w+)*(\\([^\`]*?\\))?\\(\\s*['"\`]${escaped}['"\`]`, 's').test(
    readFileSync(file, 'utf8'),
  )
}
