import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Checks that every production package has a licence that allows redistribution. `--list` prints them all. */

const allowed = new Set(
  'MIT ISC BSD-2-Clause BSD-3-Clause Apache-2.0 MIT-0 0BSD BlueOak-1.0.0 Unlicense CC0-1.0 Python-2.0 PSF-2.0'.split(
    ' ',
  ),
)

/** Licences that are accepted for single packages, and the reason. */
const exceptions = [
  {
    name: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    reason: 'libvips is linked as a library of its own, which can be replaced',
  },
  {
    name: /^date-holidays$/,
    licence: 'CC-BY-3.0',
    reason: 'the dates of holidays, which their authors are named for in the package',
  },
]

const mayPass = (name, licence) =>
  allowed.has(licence) || exceptions.some((one) => one.name.test(name) && one.licence === licence)

/** Returns whether a licence expression is allowed: `A AND B` needs both, `A OR B` one of them. */
export function isAllowed(name, expression) {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((one) => one.split(' AND ').every((licence) => mayPass(name, licence)))
}

/** @param {{ packages: Record<string, { dev?: boolean, license?: string, version?: string }> }} lock */
export function listLicences({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version = '', license = 'none' }]) => ({
      name: path.split('node_modules/').at(-1),
      version,
      license,
    }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const found = listLicences(JSON.parse(readFileSync(lock, 'utf8')))
  const refused = found.filter(({ name, license }) => !isAllowed(name, license))
  const shown = process.argv.includes('--list') ? found : refused
  for (const { name, version, license } of shown) console.log(`${name} ${version}: ${license}`)
  console.log(`${found.length} packages of production, ${refused.length} of them under a licence that is not allowed`)
  if (refused.length > 0) process.exitCode = 1
}
