import { describe, expect, it } from 'vitest'
import { sortFiles } from './file-drop.tsx'

const file = (name: string, type = 'image/png', size = 10) => new File([new Uint8Array(size)], name, { type })

describe('sortFiles', () => {
  it('rejects files of a wrong type, too large or too many, each with a reason', () => {
    const files = [
      file('a.png'),
      file('b.pdf', 'application/pdf'),
      file('c.png', 'image/png', 2_000_000),
      file('d.png'),
      file('e.png'),
    ]
    const { accepted, rejected } = sortFiles(files, { accept: ['image/png'], maxBytes: 1024 * 1024, room: 2 })
    expect(accepted.map(({ name }) => name)).toEqual(['a.png', 'd.png'])
    expect(rejected).toEqual([
      { name: 'b.pdf', reason: 'is not an image that can be used' },
      { name: 'c.png', reason: 'is larger than 1 MB' },
      { name: 'e.png', reason: 'is one too many' },
    ])
  })
})
