import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Asks the registry for known vulnerabilities of production packages, and fails on high and critical ones. If the
 * registry does not respond in time or has no advisories, it says so and passes; otherwise nobody could work offline.
 */

/** Timeouts of a request to the registry, and of npm as a whole, which is slow on a busy machine. */
const ANSWER_WITHIN_MS = 3_000
const ASK_FOR_MS = 20_000
const failing = new Set(['high', 'critical'])

/**
 * Summarises the output of `npm audit --json`.
 * @param {string} output
 * @returns {{ passes: boolean, lines: string[] }}
 */
export function readAudit(output) {
  let answer
  try {
    answer = JSON.parse(output)
  } catch {
    return notAsked('npm audit gave no answer in time')
  }
  if (!answer?.metadata?.vulnerabilities)
    return notAsked(answer?.message ?? answer?.error?.summary ?? 'no reason given')
  const found = Object.values(answer.vulnerabilities)
  const lines = found.map(({ name, severity, via, fixAvailable }) => {
    const titles = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} (${one.range}) ${one.url}`))
    return `${severity}: ${name}: ${titles.join('; ')}${fixAvailable ? ' (a fix is there)' : ''}`
  })
  const grave = found.filter(({ severity }) => failing.has(severity)).length
  return {
    passes: grave === 0,
    lines: [
      ...lines,
      `${found.length} packages of production with a known weakness, ${grave} of them high or critical`,
    ],
  }
}

const notAsked = (reason) => ({ passes: true, lines: [`NOT CHECKED for known weaknesses: ${reason}`] })

/** @returns {Promise<string>} The output, empty when npm did not finish in time. */
function askNpm() {
  return new Promise((resolve) => {
    const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', `--fetch-timeout=${ANSWER_WITHIN_MS}`]
    const npm = spawn('npm', args, { stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' })
    const timer = setTimeout(() => {
      npm.kill()
      resolve('')
    }, ASK_FOR_MS)
    let output = ''
    npm.stdout.on('data', (text) => {
      output += text
    })
    npm.once('error', () => resolve(''))
    npm.once('close', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passes, lines } = readAudit(await askNpm())
  for (const line of lines) console.log(line)
  process.exit(passes ? 0 : 1)
}
