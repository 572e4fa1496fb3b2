import { describe, expect, it } from 'vitest'
import { createSecretBox, type SecretBox } from '../secrets.ts'
import { buildPod, buildSecondFactor, buildStaff } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { changeSecretKey, requireSecretKey } from './secret-key.ts'

const test = useTestApp()
const first = createSecretBox('the first key of all')
const second = createSecretBox('quite another key')
const none = createSecretBox(undefined)

const addPod = (box: SecretBox, password: string) =>
  buildPod(test.db, { title: password, device_password: box.seal(password) })
const readSealed = async () =>
  (await test.db.selectFrom('pods').select('device_password').orderBy('title').execute()).map(
    (pod) => pod.device_password,
  )
const openAll = async (box: SecretBox) => (await readSealed()).map((sealed) => box.open(sealed))

describe('the start of a server', () => {
  it('accepts only the key of the first start', async () => {
    await requireSecretKey(test.db, first)
    await requireSecretKey(test.db, first)
    await expect(requireSecretKey(test.db, second)).rejects.toThrow(/SECRET_KEY is not the key[^]*secret:change/)
    await expect(requireSecretKey(test.db, none)).rejects.toThrow('SECRET_KEY is missing')
    await requireSecretKey(test.db, first)
  })

  it('accepts only one key when servers with two keys start at once', async () => {
    const starts = await Promise.allSettled([first, second, first, second].map((box) => requireSecretKey(test.db, box)))
    const started = starts.map(({ status }) => status === 'fulfilled')
    expect(started).toEqual(started[0] ? [true, false, true, false] : [false, true, false, true])
  })

  it('recognises the key of passwords that were sealed before the key was checked', async () => {
    await addPod(first, 'door 1')
    await addPod(first, 'door 2')
    const before = await readSealed()
    await expect(requireSecretKey(test.db, second)).rejects.toThrow('SECRET_KEY is not the key')
    await expect(requireSecretKey(test.db, none)).rejects.toThrow('SECRET_KEY is missing')
    await requireSecretKey(test.db, first)
    expect(await readSealed()).toEqual(before)
    await expect(requireSecretKey(test.db, second)).rejects.toThrow('SECRET_KEY is not the key')
  })

  it('reports passwords that are sealed with two different keys, until the key is changed', async () => {
    await addPod(first, 'door 1')
    await addPod(second, 'door 2')
    await expect(requireSecretKey(test.db, second)).rejects.toThrow('1 of 2 secrets')
    await changeSecretKey(test.db, { from: first, to: second })
    await requireSecretKey(test.db, second)
    expect(await openAll(second)).toEqual(['door 1', 'door 2'])
  })

  it('seals passwords that were stored without a key when a key is first set', async () => {
    await requireSecretKey(test.db, none)
    await addPod(none, 'door 1')
    await requireSecretKey(test.db, none)
    expect(await requireSecretKey(test.db, first)).toBe(1)
    expect(await openAll(first)).toEqual(['door 1'])
    expect((await readSealed()).join()).not.toContain('door')
    await expect(requireSecretKey(test.db, none)).rejects.toThrow('SECRET_KEY is missing')
  })
})

describe('changing the key', () => {
  it('reseals every password, even of deleted pods, and returns their number', async () => {
    await requireSecretKey(test.db, first)
    await addPod(first, 'door 1')
    const gone = await addPod(first, 'door 2')
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
    expect(await changeSecretKey(test.db, { from: first, to: second })).toMatchObject({ sealed: 2 })
    expect(await openAll(second)).toEqual(['door 1', 'door 2'])
    await requireSecretKey(test.db, second)
    await expect(requireSecretKey(test.db, first)).rejects.toThrow('SECRET_KEY is not the key')
  })

  it('reseals the keys of second factors, or empties them when the old key is lost', async () => {
    const staff = await buildStaff(test.db)
    const { key } = await buildSecondFactor(test.db, staff.id)
    const read = async () =>
      (await test.db.selectFrom('second_factors').select('secret').executeTakeFirstOrThrow()).secret
    expect(await requireSecretKey(test.db, first)).toBe(1)
    expect(first.open(await read())).toBe(key)
    await changeSecretKey(test.db, { from: first, to: second })
    expect(second.open(await read())).toBe(key)
    const lost = { from: none, to: first, keyIsLost: true }
    expect((await changeSecretKey(test.db, lost)).emptied).toEqual([`second factor of ${staff.email}`])
    expect(first.open(await read())).toBe('')
  })

  it('is needed, even to the same one, before a database of an earlier release seals as this one does', async () => {
    const earlier = createSecretBox('the first key of all')
    earlier.sealAs('v1:')
    await requireSecretKey(test.db, earlier)
    await addPod(earlier, 'door 1')
    const server = createSecretBox('the first key of all')
    await requireSecretKey(test.db, server)
    await addPod(server, 'door 2')
    expect(await readSealed()).toEqual([expect.stringMatching(/^v1:/), expect.stringMatching(/^v1:/)])

    expect(await changeSecretKey(test.db, { from: server, to: first })).toMatchObject({ sealed: 2 })
    expect(await readSealed()).toEqual([expect.stringMatching(/^v2:/), expect.stringMatching(/^v2:/)])
    const next = createSecretBox('the first key of all')
    await requireSecretKey(test.db, next)
    expect(await openAll(next)).toEqual(['door 1', 'door 2'])
    expect(next.seal('door 3')).toMatch(/^v2:/)
  })

  it('changes nothing the second time', async () => {
    await addPod(first, 'door 1')
    await changeSecretKey(test.db, { from: first, to: second })
    const sealed = await readSealed()
    expect(await changeSecretKey(test.db, { from: first, to: second })).toMatchObject({ sealed: 0 })
    expect(await readSealed()).toEqual(sealed)
  })

  it('seals unsealed passwords when there was no key before', async () => {
    await addPod(none, 'door 1')
    expect(await changeSecretKey(test.db, { from: none, to: first })).toMatchObject({ sealed: 1 })
    expect(await openAll(first)).toEqual(['door 1'])
    await requireSecretKey(test.db, first)
  })

  it('changes nothing when a password opens with neither key, and names its pod', async () => {
    await addPod(first, 'door 1')
    await addPod(createSecretBox('a key that was lost'), 'door 2')
    const before = await readSealed()
    await expect(changeSecretKey(test.db, { from: first, to: second })).rejects.toThrow('door 2')
    expect(await readSealed()).toEqual(before)
    await expect(changeSecretKey(test.db, { from: none, to: second })).rejects.toThrow('SECRET_KEY')
    expect(await readSealed()).toEqual(before)
  })

  it('names pods without characters that command a terminal', async () => {
    await addPod(createSecretBox('a key that was lost'), 'door\u001B[2J 1\u009B\r')
    const lost = changeSecretKey(test.db, { from: first, to: second })
    await expect(lost).rejects.toThrow('the secrets of door�[2J 1��.')
    expect((await changeSecretKey(test.db, { from: first, to: second, keyIsLost: true })).emptied).toEqual([
      'door�[2J 1��',
    ])
  })

  it('empties passwords that no key opens when the old key is lost, and names their pods', async () => {
    await requireSecretKey(test.db, createSecretBox('a key that was lost'))
    await addPod(createSecretBox('a key that was lost'), 'door 1')
    await addPod(none, 'door 2')
    const changed = await changeSecretKey(test.db, { from: none, to: second, keyIsLost: true })
    expect(changed).toEqual({ sealed: 1, emptied: ['door 1'] })
    expect(await openAll(second)).toEqual(['', 'door 2'])
    await requireSecretKey(test.db, second)
  })

  it('is in the history, as is each secret that it has emptied', async () => {
    const lost = createSecretBox('a key that was lost')
    const pod = await addPod(lost, 'door 1')
    const staff = await buildStaff(test.db)
    await buildSecondFactor(test.db, staff.id)
    await test.db
      .updateTable('second_factors')
      .set({ secret: lost.seal('key') })
      .execute()
    await addPod(none, 'door 2')
    await changeSecretKey(test.db, { from: none, to: second, keyIsLost: true })
    const rows = await test.db.selectFrom('audit').selectAll().orderBy('action').execute()
    const masked = { device_password: '********' }
    const { version } = await test.db
      .selectFrom('pods')
      .select('version')
      .where('id', '=', pod.id)
      .executeTakeFirstOrThrow()
    expect(rows).toMatchObject([
      {
        action: 'edit',
        entity: 'pod',
        entity_id: pod.id,
        version,
        before: masked,
        after: masked,
        actor_kind: 'system',
      },
      {
        action: 'second-factor-reset',
        entity: 'staff',
        entity_id: staff.id,
        reason: 'Emptied, as the secret key is lost',
      },
      { action: 'secret-key', entity: 'policy', reason: 'Secrets encrypted with it: 1' },
    ])
    await changeSecretKey(test.db, { from: second, to: second })
    expect(await test.db.selectFrom('audit').select('id').execute()).toHaveLength(3)
  })
})
