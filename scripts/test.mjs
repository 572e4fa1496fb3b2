import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { requireChromium } from './chromium.mjs'

/**
 * `npm test`: runs all checks and tests, cheapest first. `npm run check` (--quick): only those that need neither a
 * database nor a browser. `npm run test:long` (--long): many more crashes, and every server test on both engines.
 * Every step runs to its end; the first failure skips the rest.
 */

const quick = process.argv.includes('--quick')
if (process.argv.includes('--long')) process.env.TEST_LONG = '1'
const reports = join('test-results', 'reports')
const bin = (name) => join('node_modules', '.bin', name)
const unitReport = join(reports, 'vitest.json')
const browserReport = join(reports, 'playwright.json')

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

/** @type {[string, string, string[]][]} */
const steps = [
  ['format', bin('oxfmt'), ['--check', '.']],
  // Reports what `tsc --noEmit` would (docs/decisions/059).
  [
    'lint and types',
    bin('oxlint'),
    ['--type-aware', '--type-check', '--report-unused-disable-directives-severity=error'],
  ],
  ['unused', bin('knip'), []],
  ['rules', process.execPath, [join('scripts', 'rules.mjs')]],
  ['licences', process.execPath, [join('scripts', 'licences.mjs')]],
  ['advisories', process.execPath, [join('scripts', 'advisories.mjs')]],
  ...(quick
    ? [['unit', bin('vitest'), ['run', '--project', 'unit', '--project', 'contract-auckland']]]
    : [
        [
          'unit and server',
          bin('vitest'),
          ['run', '--reporter=default', '--reporter=json', `--outputFile=${unitReport}`],
        ],
        ['build', process.execPath, [join('scripts', 'build.mjs')]],
        ['browser', bin('playwright'), ['test']],
        ...(process.env.TEST_LONG
          ? [['versions of Node', process.execPath, [join('scripts', 'node-versions.mjs')]]]
          : []),
      ]),
]

const inMemory = makeFolderInMemory()
if (inMemory) process.env.TMPDIR = inMemory

if (!quick) {
  process.env.CHROMIUM_PATH = requireChromium()
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = browserReport
  if (!process.env.TEST_DATABASE_URL)
    say('TEST_DATABASE_URL is not set: the server is tested on the embedded database alone.')
}

/** @type {string | undefined} */
let failed
for (const [name, command, args] of steps) {
  say(name)
  const started = Date.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    failed = name
    break
  }
  say(`${name}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}
if (failed) say(`Failed: ${failed}`)
if (!quick) printTotals()
if (inMemory) rmSync(inMemory, { recursive: true, force: true })
process.exit(failed ? 1 : 0)

/**
 * Creates a folder in memory: the tests create, fill and delete hundreds of databases, and on a disk most of the time
 * would go into syncing them.
 */
function makeFolderInMemory() {
  const memory = '/dev/shm'
  const prefix = 'podkeeper-tests-'
  if (!existsSync(memory)) return undefined
  for (const name of readdirSync(memory)) {
    // Left by a run that was killed. Anything that is still mounted there cannot be removed, and does no harm.
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    try {
      rmSync(join(memory, name), { recursive: true, force: true })
    } catch (error) {
      say(`${join(memory, name)} is left: ${error.message}`)
    }
  }
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < 4 * 2 ** 30) return undefined
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function say(text) {
  process.stdout.write(`\n▸ ${text}\n`)
}

function printTotals() {
  let passed = 0
  let broken = failed ? 1 : 0
  if (existsSync(unitReport)) {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(unitReport, 'utf8'))
    passed += numPassedTests
    broken = Math.max(broken, numFailedTests)
  }
  if (existsSync(browserReport)) {
    const { expected, unexpected, flaky } = JSON.parse(readFileSync(browserReport, 'utf8')).stats
    passed += expected
    broken = Math.max(broken, unexpected + flaky)
  }
  process.stdout.write(`\n${passed} passed, ${broken} failed\n`)
}
