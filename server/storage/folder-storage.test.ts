import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { createFolderStorage } from './folder-storage.ts'
import type { ImageStorage } from './image-storage.ts'

let outer: string
let folder: string
let storage: ImageStorage

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'podkeeper-storage-'))
  folder = join(outer, 'a', 'uploads')
  storage = await createFolderStorage(folder)
  await writeFile(join(outer, 'a', 'secret.webp'), 'secret')
})
afterEach(() => rm(outer, { recursive: true, force: true }))

const bytes = Buffer.from('a picture')

describe('folder storage', () => {
  it('returns a stored image with its length, and leaves no partial file', async () => {
    await storage.put('a1.webp', bytes, 'image/webp')
    const found = await storage.find('a1.webp')
    expect(found?.bytes).toBe(bytes.length)
    expect(found && (await buffer(found.body))).toEqual(bytes)
    expect(await readdir(folder)).toEqual(['a1.webp'])
  })

  it('deletes an image, and accepts the deletion of a missing one', async () => {
    await storage.put('a1.webp', bytes, 'image/webp')
    await storage.delete('a1.webp')
    await storage.delete('a1.webp')
    expect(await storage.find('a1.webp')).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })

  const disk = mountSmallDisk(1)
  afterAll(() => disk?.remove())
  it.skipIf(disk === undefined)('names a disk that is full, and keeps the code of the error', async () => {
    const onDisk = await createFolderStorage(join(disk?.folder ?? '', 'uploads'))
    disk?.fill()
    await expect(onDisk.put('a1.webp', bytes, 'image/webp')).rejects.toMatchObject({
      code: 'ENOSPC',
      message: `The disk that holds ${join(disk?.folder ?? '', 'uploads')} is full. Free some space, or set DATA_DIR to another folder.`,
    })
  })

  it('finds nothing under an unknown key or the name of a folder', async () => {
    await mkdir(join(folder, 'inner'))
    expect(await storage.find('unknown.webp')).toBeUndefined()
    expect(await storage.find('inner')).toBeUndefined()
  })

  const outside = [
    '../secret.webp',
    '..',
    '.',
    '',
    '/etc/passwd',
    'a/../../secret.webp',
    '..\\secret.webp',
    'A.webp',
    'a\0b',
  ]

  it.each(outside)('refuses the key %j, which is not a plain name', async (key) => {
    expect(await storage.find(key)).toBeUndefined()
    await expect(storage.put(key, bytes, 'image/webp')).rejects.toThrow('not a key')
    await expect(storage.delete(key)).rejects.toThrow('not a key')
    expect(await readdir(join(outer, 'a'))).toEqual(['secret.webp', 'uploads'])
  })

  it('leaves no partial file when an image cannot be stored', async () => {
    await mkdir(join(folder, 'taken.webp', 'full'), { recursive: true })
    await expect(storage.put('taken.webp', bytes, 'image/webp')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(await readdir(folder)).toEqual(['taken.webp'])
  })
})
