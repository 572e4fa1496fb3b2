import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Builds the product and runs the unit tests and the server's on every supported version of Node, each from its npm package: `node
 * scripts/node-versions.mjs [version …]`. Part of `npm run test:long`; arguments after `--` are passed to vitest.
 */

const VERSIONS = ['20.19', '22', '24', '26']

const [given, forVitest] = split(process.argv.slice(2))
const failed = (given.length > 0 ? given : VERSIONS).filter((version) => !passes(version))
say(failed.length > 0 ? `Failed on Node ${failed.join(', ')}` : 'Passed on every version of Node')
process.exit(failed.length > 0 ? 1 : 0)

function passes(version) {
  const node = install(version)
  if (node === undefined) return false
  say(`Node ${run(node, ['--version'], 'pipe').stdout.toString().trim()}`)
  const projects = ['unit', 'server-embedded', 'process-embedded'].flatMap((name) => ['--project', name])
  const tests = ['run', ...projects, ...forVitest]
  return [[join('scripts', 'build.mjs')], [join('node_modules', 'vitest', 'vitest.mjs'), ...tests]].every(
    (args) => run(node, args).status === 0,
  )
}

/** Returns the path of the newest release of a version, or undefined when it cannot be installed. */
function install(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = resolve('node_modules', '.cache', 'node-versions', version)
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`]
  if (run('npm', args).status === 0 && existsSync(node)) return node
  say(`Node ${version} cannot be installed`)
  return undefined
}

/**
 * Runs a command without the settings for PostgreSQL tests and long runs: each version is tested on the embedded
 * engine.
 */
function run(command, args, stdio = 'inherit') {
  const { TEST_DATABASE_URL: _, TEST_LONG: __, ...env } = process.env
  return spawnSync(command, args, { stdio, env })
}

function split(args) {
  const at = args.indexOf('--')
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
}

function say(text) {
  process.stdout.write(`\n▸ ${text}\n`)
}
