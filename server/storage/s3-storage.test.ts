import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { createApp } from '../app.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { parseConfig } from '../config.ts'
import { createContext } from '../create-context.ts'
import { deleteUnusedImages } from '../modules/uploads/uploads.service.ts'
import { backUpTo, fromFile } from '../testing/backup-files.ts'
import { buildPod } from '../testing/factories.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { findFreePort } from '../testing/server-process.ts'
import { useTestApp } from '../testing/test-app.ts'
import { createFolderStorage } from './folder-storage.ts'
import { openStorage } from './open-storage.ts'
import { openS3Bucket } from './s3-bucket.ts'
import { createS3Storage } from './s3-storage.ts'

const store = await startS3Server()
const test = useTestApp(store.settings)

afterEach(async () => {
  vi.restoreAllMocks()
  for (const key of await store.listKeys()) await store.client.deleteObject(key)
})
afterAll(() => store.remove())

const buildImage = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#1a7' } })
    .jpeg()
    .toBuffer()

async function upload(count = 1) {
  const form = new FormData()
  for (let index = 0; index < count; index++) {
    form.append('images', new Blob([new Uint8Array(await buildImage())], { type: 'image/jpeg' }), 'photo.jpg')
  }
  const request = new Response(form)
  return test.request(routes.uploads.create, {
    token: (await test.signIn([3])).token,
    body: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  })
}

const toKeys = (files: { url: string; thumbnail: string }[]) =>
  files.flatMap(({ url, thumbnail }) => [`tests${url}`, `tests${thumbnail}`]).sort()
const countRows = async () => (await test.db.selectFrom('images').select('id').execute()).length
const readyz = async () => (await test.app.inject('/readyz')).json()
const settingsWith = (changed: Record<string, string>) => parseConfig({ ...store.settings, ...changed })

describe('images in S3', () => {
  it('are stored by an upload, and served like images in a folder', async () => {
    const { status, body } = await upload(2)
    expect(status).toBe(200)
    expect(await store.listKeys()).toEqual(toKeys(body.files))
    const [{ url }] = body.files
    const served = await test.app.inject(url)
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 40, height: 30 })

    const folder = await mkdtemp(join(tmpdir(), 'podkeeper-storage-'))
    const local = await createFolderStorage(folder)
    await local.put(url.slice('/uploads/'.length), served.rawPayload, 'image/webp')
    const fromFolder = await createApp({
      context: { ...test.context, storage: local },
      logger: pino({ level: 'silent' }),
    })
    const asked = [{ url }, { url, headers: { range: 'bytes=0-9' } }, { url: '/uploads/unknown.webp' }]
    for (const request of asked) {
      const [remote, near] = [await test.app.inject(request), await fromFolder.inject(request)]
      const toPart = ({ statusCode, headers, rawPayload }: typeof remote) => ({
        statusCode,
        headers: { ...headers, date: '', 'x-request-id': '' },
        length: rawPayload.length,
      })
      expect(toPart(remote)).toEqual(toPart(near))
    }
    await fromFolder.close()
    await rm(folder, { recursive: true })
  })

  it('are served by every server with the same settings', async () => {
    const { body } = await upload()
    const config = parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...store.settings })
    const context = await createContext(config, test.database, test.clock)
    const second = await createApp({ context, logger: pino({ level: 'silent' }) })
    expect((await second.inject(body.files[0].url)).statusCode).toBe(200)
    await second.close()
  })

  it('are deleted only when no pod uses them', async () => {
    const { body } = await upload(3)
    const [used, ...unused] = body.files
    const pod = await buildPod(test.db)
    const image = { pod_id: pod.id, position: 1, public_id: used.public_id, url: used.url }
    await test.db.insertInto('pod_images').values(image).execute()
    test.clock.set(new Date(test.clock.now().getTime() + 2 * DAY))
    const olderThan = new Date(test.clock.now().getTime() - DAY)
    expect(await deleteUnusedImages(test.context, olderThan)).toBe(2)
    expect(await store.listKeys()).toEqual(toKeys([used]))
    expect((await test.app.inject(unused[0].url)).statusCode).toBe(404)
    expect((await test.app.inject(used.url)).statusCode).toBe(200)
  })

  it('cannot have keys that lead outside their prefix', async () => {
    const { storage } = test.context
    await store.client.putObject('tests/secret.webp', 'secret')
    for (const key of ['../secret.webp', '', '.', 'a/b', 'a\0b', 'A.webp']) {
      expect(await storage.find(key)).toBeUndefined()
      await expect(storage.put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('not a key')
      await expect(storage.delete(key)).rejects.toThrow('not a key')
    }
    await storage.delete('never-there.webp')
    expect(await store.listKeys()).toEqual(['tests/secret.webp'])
  })

  it('are backed up, and restored into the image store or a folder', async () => {
    const { body } = await upload(2)
    const folder = await mkdtemp(join(tmpdir(), 'podkeeper-backup-'))
    const file = join(folder, 'backup.jsonl.gz')
    const { db, context } = test
    const read = async (storage = context.storage) =>
      Promise.all(
        toKeys(body.files).map(async (key) => {
          const found = await storage.find(key.slice('tests/uploads/'.length))
          return found && (await buffer(found.body)).toString('base64')
        }),
      )
    const before = await read()
    expect(await backUpTo({ db, storage: context.storage }, file)).toMatchObject({ images: 4 })
    const later = await upload()
    await context.storage.delete(toKeys(body.files)[0]?.slice('tests/uploads/'.length) ?? '')

    await restoreBackup({ db, storage: context.storage }, fromFile(file), { replace: true })
    expect(await read()).toEqual(before)
    expect(await store.listKeys()).toEqual(toKeys(body.files))
    expect((await test.app.inject(later.body.files[0].url)).statusCode).toBe(404)

    const local = await createFolderStorage(join(folder, 'uploads'))
    await restoreBackup({ db, storage: local }, fromFile(file), { replace: true })
    expect(await read(local)).toEqual(before)
    await rm(folder, { recursive: true })
  })
})

describe('an image store that is unavailable', () => {
  const words = 'Images cannot be stored or shown at the moment. Try again in a moment.'
  const refused = { status: 503, body: expect.objectContaining({ code: 'unavailable', message: words }) }

  afterEach(async () => {
    await store.kill()
    await store.start()
  })

  it('is reported with a clear message, and images work again once the store is back', async () => {
    const { body } = await upload()
    await store.kill()
    expect(await upload()).toMatchObject({ ...refused, headers: { 'retry-after': '5' } })
    const shown = await test.app.inject(body.files[0].url)
    expect([shown.statusCode, shown.headers['cache-control'], shown.json().message]).toEqual([503, 'no-store', words])
    // Everything else keeps working.
    expect(await readyz()).toMatchObject({
      status: 'ready',
      images: 'The image store does not answer (ECONNREFUSED).',
    })
    await store.start()
    expect((await test.app.inject(body.files[0].url)).statusCode).toBe(200)
    const again = await upload()
    expect(again.status).toBe(200)
    await vi.waitFor(async () => expect(await readyz()).not.toHaveProperty('images'), { timeout: 10_000 })

    test.clock.set(new Date(test.clock.now().getTime() + 2 * DAY))
    await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - DAY))
    expect([await countRows(), await store.listKeys()]).toEqual([0, []])
  })

  it('leaves only images that the clean-up deletes when it fails during an upload', async () => {
    const { storage } = test.context
    const put = storage.put.bind(storage)
    let puts = 0
    vi.spyOn(storage, 'put').mockImplementation(async (...image) => {
      puts += 1
      if (puts === 4) await store.kill()
      return put(...image)
    })
    expect(await upload(3)).toMatchObject(refused)
    await store.start()
    expect(await store.listKeys()).toHaveLength(3)
    expect(await countRows()).toBe(2)
    test.clock.set(new Date(test.clock.now().getTime() + 2 * DAY))
    await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - DAY))
    expect([await countRows(), await store.listKeys()]).toEqual([0, []])
  })

  it('does not keep a server from starting', async () => {
    await store.kill()
    const storage = await openStorage(settingsWith({}))
    await expect(storage.check()).rejects.toThrow('does not answer')
    await store.start()
    await storage.check()
  })

  it('gets a second request after closing a connection or being busy, and is given up after a timeout', async () => {
    const port = await findFreePort()
    const toAnswer = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
    const answers = ['', toAnswer('200 OK'), toAnswer('503 Slow Down'), toAnswer('200 OK')]
    let connections = 0
    const silent = createServer((socket) => {
      const answer = answers[connections]
      connections += 1
      if (answer === '') socket.destroy()
      else if (answer !== undefined) socket.end(answer)
    }).listen(port, '127.0.0.1')
    const { s3 } = settingsWith({ S3_ENDPOINT: `http://127.0.0.1:${port}` })
    if (!s3) throw new Error('The settings name a store')
    const bucket = openS3Bucket(s3, { responseMs: 300 })
    await bucket.put('a.webp', Buffer.from('a'), 'image/webp')
    await bucket.put('b.webp', Buffer.from('b'), 'image/webp')
    expect(connections).toBe(answers.length)
    await expect(bucket.put('c.webp', Buffer.from('c'), 'image/webp')).rejects.toThrow(
      'The image store does not answer (no answer in time).',
    )
    expect(connections).toBe(answers.length + 1)
    silent.close()
  })
})

describe('an image store that refuses this server', () => {
  it.each([
    ['S3_SECRET_ACCESS_KEY', 'wrong', 'SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID.'],
    ['S3_ACCESS_KEY_ID', 'nobody', 'InvalidAccessKeyId', 'It does not know S3_ACCESS_KEY_ID.'],
    ['S3_BUCKET', 'other-bucket', 'NoSuchBucket', 'It has no bucket other-bucket: make it, or correct S3_BUCKET.'],
  ])('keeps the server from starting for a wrong %s, with advice', async (name, value, code, advice) => {
    const problem = await openStorage(settingsWith({ [name]: value })).catch(String)
    expect(problem).toBe(`Error: The image store refuses this server (${code}).\n${advice}`)
  })

  it.each([
    ['AccessDenied', 'It allows this key too little: it needs s3:PutObject'],
    ['AuthorizationHeaderMalformed', 'The bucket is not in us-east-1: correct S3_REGION.'],
    ['RequestTimeTooSkewed', "This machine's clock is wrong: set it."],
    ['SomethingNew', 'Correct the settings whose names begin with S3_.'],
  ])('is reported with the advice for the error code %s', async (code, advice) => {
    const refusing = createHttpServer((_, response) => {
      response.writeHead(403, { 'content-type': 'text/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    }).listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    const { port } = refusing.address() as AddressInfo // listening on TCP
    const settings = settingsWith({ S3_ENDPOINT: `http://127.0.0.1:${port}/` })
    await expect(openStorage(settings)).rejects.toThrow(`The image store refuses this server (${code}).\n${advice}`)
    refusing.close()
  })

  it('causes a 503 at run time, with the reason in /readyz and no key in logs or responses', async () => {
    const { s3 } = settingsWith({ S3_SECRET_ACCESS_KEY: 'changed since' })
    if (!s3) throw new Error('The settings name a store')
    const lines: string[] = []
    const app = await createApp({
      context: { ...test.context, storage: createS3Storage(openS3Bucket(s3)) },
      logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    })
    const shown = await app.inject('/uploads/0a1b.webp')
    expect([shown.statusCode, shown.json().code]).toEqual([503, 'unavailable'])
    const { images } = (await app.inject('/readyz')).json()
    expect(images).toBe('The image store refuses this server (SignatureDoesNotMatch).')
    expect(lines.join('')).toContain('SignatureDoesNotMatch')
    expect(lines.join('') + shown.body).not.toMatch(/changed since|Signature=/)
    await app.close()
  })
})
