import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The production sources of server and portal. */
const sources = ['contract', 'server', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\/|\/gallery\//.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
)
/** Test helpers that are in the same folders as what they test. */
const helpers =
  /server\/db\/(test-databases|embedded\/(test-\w+|kill-while-writing|crash-writer|build-worker|global-setup))\.ts$/

const find = (pattern: RegExp) =>
  sources.filter(({ path, text }) => !helpers.test(path) && pattern.test(text)).map(({ path }) => path)

/** The source files that the gallery consists of. */
function listGallery(path = 'web/ui/gallery/gallery.tsx', seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const imported = readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)
  for (const [, name = ''] of imported) listGallery(join(dirname(path), name), seen)
  return seen
}

describe('web/ui', () => {
  it('shows every component in the gallery, and names it in its README', () => {
    const components = readdirSync('web/ui', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const shown = [...listGallery()]
    const readme = readFileSync('web/ui/README.md', 'utf8')
    const missing = components.filter(
      ({ name }) => !shown.some((path) => path.startsWith(`web/ui/${name}/`)) || !readme.includes(`${name}/`),
    )
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('shows every mail to staff in the gallery', () => {
    const texts = readFileSync('server/modules/mail/mail-texts.ts', 'utf8').matchAll(/export function (say\w+)/g)
    const gallery = readFileSync('web/ui/gallery/mails.tsx', 'utf8')
    expect([...texts].flatMap(([, name]) => (gallery.includes(`${name}(about`) ? [] : [name]))).toEqual([])
  })
})

describe('the sources', () => {
  it('are actually searched by this test', () => {
    expect(sources.length).toBeGreaterThan(500)
    expect(find(/createHash\('sha256'\)/)).toContain('server/http/session.ts')
  })

  it('put conditions in SQL that contain an `or` in brackets, as they are joined to others by `and`', () => {
    const hasBareOr = (condition: string) => {
      let rest = condition
      while (/\([^()]*\)/.test(rest)) rest = rest.replaceAll(/\([^()]*\)/g, '')
      return /\bor\b/.test(rest)
    }
    expect(['a or b', '(a) or (b)', '(a or b)', 'exists (select where (a) or b)'].map(hasBareOr)).toEqual([
      true,
      true,
      false,
      false,
    ])
    const bare = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\.where\(\s*sql<boolean>`([^`]*)`/g)].flatMap(([, condition = '']) =>
        hasBareOr(condition) ? [path] : [],
      ),
    )
    expect(bare).toEqual([])
  })

  it('queue jobs only of kinds that a worker runs', () => {
    const queued = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/enqueueJob\(\w+, \{ kind: ([^,}]+)/g)].map(([, kind = '']) => ({ path, kind })),
    )
    expect(queued.length).toBeGreaterThan(4)
    const groups = readFileSync('server/jobs/jobs.ts', 'utf8')
    const waiting = queued.filter(({ kind }) => !groups.includes(`[${kind}]: `))
    expect(waiting, 'would wait for ever: add the kind to a group of server/jobs/jobs.ts, by its constant').toEqual([])
  })

  it('run no system commands', () => {
    expect(find(/child_process|\bspawn\(|\bexecFile\(/)).toEqual([])
  })

  it('never run text as code', () => {
    expect(find(/\beval\(|new Function\(|node:vm|set(Timeout|Interval)\(\s*['"`]/)).toEqual([])
  })

  it('insert no text into a page as markup, except for the API documentation', () => {
    expect(find(/dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML/)).toEqual([])
    // The page of the API documentation, which the server has just sent to a signed-in person.
    expect(find(/document\.write\(/)).toEqual(['server/http/docs.ts'])
  })

  it('hash only with SHA-256, and never create secrets with Math.random', () => {
    const hashes = sources.flatMap(({ text }) =>
      [...text.matchAll(/create(?:Hash|Hmac)\(\s*'([^']+)'/g)].map(([, name]) => name),
    )
    expect([...new Set(hashes)]).toEqual(['sha256'])
    // Other random values are not secrets: the delay before a transaction is retried, and the demo data.
    const drawn = find(/Math\.random\(/).filter((path) => path.startsWith('server/'))
    expect(drawn.filter((path) => !path.startsWith('server/demo/'))).toEqual(['server/db/transaction.ts'])
  })

  it('contain nothing that looks like a secret key', () => {
    expect(find(/-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|podkey_[0-9a-f]{56}|whsec_[A-Za-z0-9+/]{32}/)).toEqual(
      [],
    )
  })
})
