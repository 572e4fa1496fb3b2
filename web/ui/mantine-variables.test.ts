import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const require = createRequire(import.meta.url)
const given = new Set(readFileSync(new URL('mantine.css', folder), 'utf8').match(/--mantine-[\w-]+/g))

const imported = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|tsx)$/.test(name))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').match(/@mantine\/[\w/.-]+\.css/g) ?? []),
)

// The provider injects no variables (provider.tsx): one that is missing here would silently be nothing.
describe('every variable that the library reads is given', () => {
  it('imports some of the library', () => {
    expect(imported.size).toBeGreaterThan(5)
  })

  it.each([...imported])('%s', (file) => {
    const used = readFileSync(require.resolve(file), 'utf8').match(/(?<=var\()--mantine-[\w-]+/g) ?? []
    expect(used.filter((name) => !given.has(name))).toEqual([])
  })
})
