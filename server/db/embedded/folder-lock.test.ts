import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestFolder } from '../test-databases.ts'
import { lockFolder } from './folder-lock.ts'

describe('the lock of a data folder', () => {
  const root = createTestFolder()
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const makeFolder = (name: string) => {
    const folder = join(root, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  it('has one holder at a time, whatever path leads to the folder, and leaves no file behind', async () => {
    const folder = makeFolder('plain')
    const lock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`The data folder ${folder} is in use`)
    const link = join(root, 'link')
    symlinkSync(folder, link)
    await expect(lockFolder(link)).rejects.toThrow('is in use')
    expect(readdirSync(folder)).toEqual(['.lock'])
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
    await (await lockFolder(folder)).release()
  })

  it('works in a folder with a very long path', async () => {
    const folder = makeFolder(`${'long-'.repeat(30)}/${'name-'.repeat(30)}`)
    const lock = await lockFolder(folder)
    expect(existsSync(join(folder, '.lock'))).toBe(true)
    await expect(lockFolder(folder)).rejects.toThrow('is in use')
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
    await (await lockFolder(folder)).release()
  })

  it('is acquired by exactly one of many concurrent attempts', async () => {
    const folder = makeFolder('wanted')
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)))
    const locks = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(locks).toHaveLength(1)
    await Promise.all(locks.map(({ value }) => value.release()))
    expect(readdirSync(folder)).toEqual([])
  })

  it('replaces a lock file that is not a live socket', async () => {
    const folder = makeFolder('odd')
    writeFileSync(join(folder, '.lock'), 'left by something else')
    const lock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow('is in use')
    await lock.release()
  })
})
