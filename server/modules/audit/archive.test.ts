import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { dropPartitions, listPartitions, makePartitions } from '#server/db/partitions.ts'
import { createId } from '#server/ids.ts'
import { buildFeature } from '#server/testing/factories.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { archiveChanges } from './archive.ts'
import { systemActor } from './record-event.ts'

const test = useTestApp()
const disk = mountSmallDisk(1)
afterAll(() => disk?.remove())
const file = join(tmpdir(), `changes-${createId()}.jsonl.gz`)
afterEach(() => rm(file, { force: true }))

const listRows = () => test.db.selectFrom('audit').selectAll().orderBy('at').orderBy('id').execute()

/** Makes two old changes, archives them a month later, and signs in again. */
async function archiveTwo() {
  const { token } = await test.signIn([PAGE.features, PAGE.staff])
  const params = { id: (await buildFeature(test.db)).id }
  await test.request(routes.features.block, { token, params })
  await test.request(routes.features.unblock, { token, params })
  const old = await listRows()
  test.clock.set('2026-12-21T09:00:00.000Z')
  const actor = systemActor(() => test.clock.now())
  const rows = await archiveChanges(test.db, actor, { before: new Date('2026-12-01'), file })
  return { token: (await test.signIn([PAGE.staff])).token, old, rows }
}

const upload = (token: string, bytes: Buffer, name = 'file') => {
  const head = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.gz"\r\ncontent-type: application/gzip\r\n\r\n`
  return test.request(routes.audit.import, {
    token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]),
  })
}

describe('an archive', () => {
  it('moves old changes to a file, is recorded in the history, and can be imported again', async () => {
    const { token, old, rows } = await archiveTwo()
    expect(rows).toBe(2)
    expect(await listRows()).toMatchObject([{ action: 'archive', actor_kind: 'system', after: { rows: 2 } }])
    expect(await test.db.deleteFrom('audit').execute().catch(String)).toContain('never changed or removed')
    const imported = await upload(token, await readFile(file))
    expect(imported.body, imported.text).toEqual({ message: '2 changes imported' })
    expect((await listRows()).slice(0, 2)).toEqual(old)
    expect((await upload(token, await readFile(file))).body).toEqual({
      message: 'All changes of this file are here already',
    })
  })

  it('keeps every character of a change, also those that end a line elsewhere', async () => {
    const { token } = await test.signIn([PAGE.features])
    const name = 'Wi-Fi\u2028fast\u2029\u0085and “free”'
    await test.request(routes.features.create, { token, body: { name, icon: 'wifi' } })
    const old = await listRows()
    test.clock.set('2026-12-21T09:00:00.000Z')
    const actor = systemActor(() => test.clock.now())
    expect(await archiveChanges(test.db, actor, { before: new Date('2026-12-01'), file })).toBe(1)
    const imported = await upload((await test.signIn([PAGE.staff])).token, await readFile(file))
    expect(imported.body).toEqual({ message: '1 change imported' })
    expect((await listRows())[0]).toEqual(old[0])
  })

  it('removes whole months at once, except a month with rows that are not in the file', async () => {
    await makePartitions(test.db, test.clock.now())
    await makePartitions(test.db, new Date('2027-03-10'))
    const toChange = (day: string) =>
      ({
        id: createId(),
        at: new Date(day),
        actor_kind: 'system',
        action: 'edit',
        entity: 'settings',
        label: '',
      }) as const
    const days = ['2026-11-02', '2027-01-31T23:59:59.999Z', '2027-02-01', '2027-03-05', '2027-03-06']
    await test.db.insertInto('audit').values(days.map(toChange)).execute()
    test.clock.set('2027-03-10T09:00:00.000Z')
    const before = await listRows()
    const actor = systemActor(() => test.clock.now())
    expect(await archiveChanges(test.db, actor, { before: new Date('2027-03-06'), file })).toBe(4)
    const listNames = async () => (await listPartitions(test.db, 'audit')).map(({ name }) => name)
    expect((await listNames()).slice(0, 2)).toEqual(['audit_earlier', 'audit_2027_03'])
    expect(await listRows()).toMatchObject([{ action: 'edit', at: new Date('2027-03-06') }, { action: 'archive' }])
    const { token } = await test.signIn([PAGE.staff])
    expect((await upload(token, await readFile(file))).body).toEqual({ message: '4 changes imported' })
    expect((await listRows()).slice(0, 5)).toEqual(before)
    expect(await dropPartitions(test.db, 'audit', new Date('2027-03-01'), 2)).toBe(0)
    expect(await listRows()).toHaveLength(7)
  })

  it('is refused on import when it is forged, empty, incomplete or another file', async () => {
    const { token } = await archiveTwo()
    const forged = gzipSync(
      gunzipSync(await readFile(file))
        .toString()
        .replace('"unblock"', '"block"'),
    )
    for (const bytes of [forged, Buffer.from('nothing of the kind'), Buffer.alloc(0)]) {
      const refused = await upload(token, bytes)
      expect(refused.status).toBe(400)
      expect(refused.body.errors).toMatchObject([{ path: 'file' }])
    }
    expect((await upload(token, await readFile(file), 'image')).status).toBe(400)
    expect((await test.request(routes.audit.import, { token, body: {} })).status).toBe(400)
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const body of [
      '--b\r\nconte',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.gz"\r\n\r\nhalf',
    ]) {
      const broken = await test.request(routes.audit.import, { token, headers, body })
      expect([broken.status, broken.body.errors]).toMatchObject([400, [{ path: 'file' }]])
    }
    expect(await listRows()).toHaveLength(1)
  })

  it.skipIf(disk === undefined)('is refused with 503 when there is no room to receive it', async () => {
    const { token } = await test.signIn([PAGE.staff])
    vi.stubEnv('TMPDIR', disk?.folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const refused = await upload(token, Buffer.alloc(3 * 1024 * 1024))
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('the disk is full') } })
    expect(await readdir(disk?.folder ?? '')).toEqual([])
  })

  it.skipIf(disk === undefined)('names the disk that has no room for it, and removes nothing', async () => {
    const { token } = await test.signIn([PAGE.features])
    await test.request(routes.features.block, { token, params: { id: (await buildFeature(test.db)).id } })
    test.clock.set('2026-12-21T09:00:00.000Z')
    const actor = systemActor(() => test.clock.now())
    disk?.fill()
    onTestFinished(() => disk?.free())
    const folder = disk?.folder ?? ''
    await expect(
      archiveChanges(test.db, actor, { before: new Date('2026-12-01'), file: join(folder, 'changes.jsonl.gz') }),
    ).rejects.toThrow(`The disk that holds ${folder} is full.`)
    expect(await listRows()).toMatchObject([{ action: 'block' }])
    expect(await readdir(folder)).toEqual(['filler'])
  })

  it('can still be imported when the row with its hash has been archived too, twice over', async () => {
    const { old } = await archiveTwo()
    const later = [`${file}.2`, `${file}.3`]
    onTestFinished(() => Promise.all(later.map((path) => rm(path, { force: true }))).then(() => undefined))
    for (const [index, path] of later.entries()) {
      test.clock.set(new Date(Date.UTC(2027, 1 + index, 21)))
      const actor = systemActor(() => test.clock.now())
      expect(await archiveChanges(test.db, actor, { before: new Date(Date.UTC(2027, 1 + index)), file: path })).toBe(1)
    }
    const { token } = await test.signIn([PAGE.staff])
    const imported = await upload(token, await readFile(file))
    expect(imported.body, imported.text).toEqual({ message: '2 changes imported' })
    const rows = await listRows()
    expect(rows.slice(0, 2)).toEqual(old)
    const last = rows.find(({ action }) => action === 'import')
    expect(last).toMatchObject({ after: { file: basename(file), rows: 2 } })
  })

  it('never includes changes younger than a day, and writes no file when there are no changes', async () => {
    const actor = systemActor(() => test.clock.now())
    const archive = (before: Date) => archiveChanges(test.db, actor, { before, file })
    await expect(archive(test.clock.now())).rejects.toThrow('older than a day')
    expect(await archive(new Date('2026-01-01'))).toBe(0)
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })
})
