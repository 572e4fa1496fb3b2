import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_IMAGE_BYTES } from '#contract/image-limits.ts'
import { routes } from '#contract/routes.ts'
import { buildPod } from '#server/testing/factories.ts'
import { createHeldWork } from '#server/testing/held-work.ts'
import { connectClient } from '#server/testing/leaving-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { deleteUnusedImages } from './uploads.service.ts'

const test = useTestApp({}, { isOwn: true })
const { create } = routes.uploads
type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** Builds an image of noise, so that no encoder makes it small and truncating it really loses pixels. */
async function buildImage(format: Format = 'jpeg', { width = 150, height = 100 } = {}): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const image = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  return image.toFormat(format).toBuffer()
}

type File = { bytes: Buffer | string; name?: string; type?: string; field?: string }

function toForm(files: File[]): FormData {
  const form = new FormData()
  for (const { bytes, name = 'photo.jpg', type = 'image/jpeg', field = 'images' } of files) {
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name)
  }
  return form
}

/** Encodes the form as a browser would send it. */
async function encode(form: FormData) {
  const response = new Response(form)
  return {
    body: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }
}

async function upload(files: File[], token?: string) {
  const staff = token ?? (await test.signIn([3])).token
  return test.request(create, { token: staff, ...(await encode(toForm(files))) })
}

const listFiles = () => readdir(join(test.context.config.dataDir, 'uploads'))
const listRows = () => test.db.selectFrom('images').select(['id', 'url', 'thumbnail_url']).orderBy('id').execute()

async function expectNothingKept() {
  expect(await listFiles()).toEqual([])
  expect(await listRows()).toEqual([])
}

const fetchImage = async (url: string) => (await test.app.inject(url)).rawPayload

afterEach(async () => {
  for (const { id, url, thumbnail_url } of await listRows()) {
    await test.context.storage.delete(url.slice('/uploads/'.length))
    await test.context.storage.delete(thumbnail_url.slice('/uploads/'.length))
    await test.db.deleteFrom('images').where('id', '=', id).execute()
  }
  vi.restoreAllMocks()
})

describe('POST upload', () => {
  it('returns 401 without a session and 403 without page 3, and stores nothing', async () => {
    const form = await encode(toForm([{ bytes: await buildImage() }]))
    expect((await test.request(create, form)).status).toBe(401)
    const others = await test.signIn([1, 2, 4, 5, 6, 7, 8, 9])
    expect((await test.request(create, { token: others.token, ...form })).status).toBe(403)
    await expectNothingKept()
  })

  it('stores several images at once and returns them in order', async () => {
    const formats: Format[] = ['jpeg', 'png', 'webp', 'gif', 'avif']
    const files = await Promise.all(
      formats.map(async (format, index) => ({
        bytes: await buildImage(format, { width: 300 + index, height: 200 }),
        name: `photo.${format}`,
        type: `image/${format}`,
      })),
    )
    const response = await upload(files)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      message: '5 images uploaded',
      files: formats.map((_, index) => ({
        public_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.webp$/),
        thumbnail: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}-thumbnail\.webp$/),
        placeholder: expect.stringMatching(/^data:image\/webp;base64,[\w+/=]{20,400}$/),
        width: 300 + index,
        height: 200,
      })),
    })
    const rows = await test.db.selectFrom('images').selectAll().orderBy('id').execute()
    expect(rows).toEqual(
      response.body.files.map((file: Record<string, unknown>) => ({
        id: file.public_id,
        url: file.url,
        thumbnail_url: file.thumbnail,
        placeholder: file.placeholder,
        width: file.width,
        height: file.height,
        discarded_at: null,
        created_at: test.clock.now(),
      })),
    )
    expect(await listFiles()).toHaveLength(10)
  })

  it('makes a WebP of at most 2000 pixels a side, and a thumbnail of 400', async () => {
    const bytes = await buildImage('jpeg', { width: 2200, height: 1100 })
    const [file] = (await upload([{ bytes }])).body.files
    expect(file).toMatchObject({ width: 2000, height: 1000 })
    expect(await sharp(await fetchImage(file.url)).metadata()).toMatchObject({ format: 'webp', width: 2000 })
    expect(await sharp(await fetchImage(file.thumbnail)).metadata()).toMatchObject({ format: 'webp', width: 400 })
  })

  it('does not enlarge a small image, and keeps transparency', async () => {
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer()
    const [file] = (await upload([{ bytes }])).body.files
    expect(file).toMatchObject({ width: 40, height: 20 })
    expect(await sharp(await fetchImage(file.url)).metadata()).toMatchObject({ width: 40, hasAlpha: true })
    expect(await sharp(await fetchImage(file.thumbnail)).metadata()).toMatchObject({ width: 40 })
  })

  it('turns the image upright and drops its metadata', async () => {
    const bytes = await sharp(await buildImage('jpeg', { width: 60, height: 30 }))
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Artist: 'Someone' }, IFD3: { GPSLatitude: '33/1 54/1 0/1' } })
      .toBuffer()
    expect((await sharp(bytes).metadata()).orientation).toBe(6)
    const [file] = (await upload([{ bytes }])).body.files
    expect(file).toMatchObject({ width: 30, height: 60 })
    const stored = await fetchImage(file.url)
    const metadata = await sharp(stored).metadata()
    expect([metadata.exif, metadata.orientation, metadata.xmp, metadata.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(stored.toString('latin1')).not.toContain('Someone')
  })

  it('keeps the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 20, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(bytes).metadata()).pages).toBe(2)
    const [file] = (await upload([{ bytes }])).body.files
    expect(file).toMatchObject({ width: 20, height: 20 })
    const { dominant } = await sharp(await fetchImage(file.url)).stats()
    expect(dominant.r).toBeGreaterThan(200)
    expect(dominant.b).toBeLessThan(60)
  })

  it('detects the type from the bytes, not from the name or declared type, and ignores other fields', async () => {
    const form = toForm([
      { bytes: 'a note', field: 'note', name: 'note.txt', type: 'text/plain' },
      { bytes: await buildImage('png'), name: 'photo.txt', type: 'text/plain' },
    ])
    form.append('title', 'A pod')
    const { token } = await test.signIn([3])
    const { body, headers } = await encode(form)
    const withoutPrefix = await test.app.inject({
      method: 'POST',
      url: '/upload',
      headers: { authorization: `Bearer ${token}`, ...headers },
      payload: body,
    })
    expect(withoutPrefix.json()).toMatchObject({ message: 'Image uploaded', files: [{ width: 150 }] })
  })
})

const good = async () => ({ bytes: await buildImage(), name: 'good.jpg' })

describe('a failing POST upload', () => {
  it('refuses files that are not of the five image types, names the file, and stores nothing of the request', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)])
    const tiff = await sharp(await buildImage())
      .tiff()
      .toBuffer()
    const bad = [
      { bytes: svg, name: 'logo.svg', type: 'image/svg+xml' },
      { bytes: svg, name: 'disguised.png', type: 'image/png' },
      { bytes: `<?xml version="1.0"?>${svg}`, name: 'xml.jpg' },
      { bytes: '%PDF-1.7 …', name: 'plan.pdf', type: 'application/pdf' },
      { bytes: 'hello', name: 'hello.jpg' },
      { bytes: heic, name: 'phone.heic', type: 'image/heic' },
      { bytes: tiff, name: 'scan.tiff', type: 'image/tiff' },
      { bytes: 'ÿØ', name: 'x.jpg' },
    ]
    for (const file of bad) {
      const response = await upload([await good(), file, await good()])
      const message = `${file.name} is not a JPEG, PNG, WebP, GIF or AVIF image.`
      expect([file.name, response.status]).toEqual([file.name, 415])
      expect(response.body).toMatchObject({
        message,
        code: 'unsupported_type',
        errors: [{ path: 'images.1', message }],
      })
      await expectNothingKept()
    }
  })

  it('refuses broken, truncated and empty images', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
      const whole = await buildImage(format)
      const name = `cut.${format}`
      for (const bytes of [whole.subarray(0, whole.length / 2), whole.subarray(0, 40)]) {
        const response = await upload([await good(), { bytes, name }])
        expect([name, response.status]).toEqual([name, 400])
        expect(response.body.message).toBe(`${name} is broken or incomplete. Save it again and retry.`)
        expect(response.body.errors[0].path).toBe('images.1')
      }
    }
    const empty = await upload([await good(), { bytes: '', name: 'empty.jpg' }])
    expect([empty.status, empty.body.message]).toEqual([400, 'empty.jpg is empty.'])
    await expectNothingKept()
  })

  it('refuses a file of more than 10 MB', async () => {
    const bytes = Buffer.concat([await buildImage(), Buffer.alloc(MAX_IMAGE_BYTES)])
    const response = await upload([await good(), { bytes, name: 'huge.jpg' }, await good()])
    expect(response.status).toBe(413)
    const message = 'huge.jpg is larger than 10 MB.'
    expect(response.body).toMatchObject({ message, code: 'payload_too_large', errors: [{ path: 'images.1', message }] })
    await expectNothingKept()
  })

  /** Each makes a small image whose header says that it is larger. */
  const bombs: [format: string, limit: number, make: (width: number, height: number) => Promise<Buffer>][] = [
    ['png', 64, async (width, height) => resizePng(await buildImage('png'), width, height)],
    [
      'interlaced.png',
      50,
      async (width, height) => resizePng(await draw().png({ progressive: true }).toBuffer(), width, height),
    ],
    [
      'progressive.jpeg',
      50,
      async (width, height) => {
        const bytes = await draw().jpeg({ progressive: true }).toBuffer()
        const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]))
        bytes.writeUInt16BE(height, frame + 5)
        bytes.writeUInt16BE(width, frame + 7)
        return bytes
      },
    ],
    [
      'avif',
      16,
      async (width, height) => {
        const bytes = await buildImage('avif')
        const size = bytes.indexOf('ispe') + 8
        bytes.writeUInt32BE(width, size)
        bytes.writeUInt32BE(height, size + 4)
        return bytes
      },
    ],
  ]
  const draw = () => sharp({ create: { width: 20, height: 20, channels: 3, background: '#888' } })
  /** The size is in the first chunk: bytes 16 to 23, followed by a checksum. */
  function resizePng(bytes: Buffer, width: number, height: number): Buffer {
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
    return bytes
  }

  it.each(bombs)('refuses an image with a small file but too many pixels: %s', async (format, limit, make) => {
    const name = `bomb.${format}`
    const response = await upload([await good(), { bytes: await make(limit * 100 + 1, 10_000), name }])
    expect([response.status, response.body.message]).toEqual([413, `${name} has more than ${limit} million pixels.`])
    await expectNothingKept()
  })

  it('refuses uploads while many others are being received, so that they do not fill the memory', async () => {
    const { token } = await test.signIn([3])
    const bytes = await buildImage('jpeg', { width: 20, height: 20 })
    const held = createHeldWork()
    const put = vi.spyOn(test.context.storage, 'put').mockImplementation(held.work)
    const answers = Array.from({ length: 33 }, () => upload([{ bytes }], token))
    const { status, headers, body } = await Promise.race(answers)
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'overloaded', '2'])
    put.mockRestore()
    held.release()
    const statuses = (await Promise.all(answers)).map((answer) => answer.status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array.from({ length: 32 }, () => 200), 503])
  })

  it('refuses more than 10 images', async () => {
    const bytes = await buildImage('jpeg', { width: 20, height: 20 })
    const response = await upload(Array.from({ length: 11 }, () => ({ bytes })))
    expect([response.status, response.body.message]).toEqual([413, 'At most 10 images can be uploaded at once.'])
    expect(response.body.errors[0].path).toBe('images')
    await expectNothingKept()
    expect((await upload(Array.from({ length: 10 }, () => ({ bytes })))).body.files).toHaveLength(10)
  })

  it('refuses a request without images', async () => {
    const { token } = await test.signIn([3])
    const none = { status: 400, message: 'At least one image is required', path: 'images' }
    const toResult = (response: Awaited<ReturnType<typeof upload>>) => ({
      status: response.status,
      message: response.body.message,
      path: response.body.errors?.[0]?.path,
    })
    expect(toResult(await upload([], token))).toEqual(none)
    expect(toResult(await upload([{ bytes: await buildImage(), field: 'other' }], token))).toEqual(none)
    expect(toResult(await test.request(create, { token }))).toEqual(none)
    expect((await test.request(create, { token, body: { images: [] } })).status).toBe(415)
  })

  it('refuses a malformed multipart body', async () => {
    const { token } = await test.signIn([3])
    const { body, headers } = await encode(toForm([await good()]))
    const requests = [
      { body: body.subarray(0, body.length - 500), headers },
      { body, headers: { 'content-type': 'multipart/form-data' } },
      { body: Buffer.from('nothing of the kind'), headers },
    ]
    for (const request of requests) {
      const response = await test.request(create, { token, ...request })
      expect(response.status).toBe(400)
      expect(response.body.errors[0].path).toBe('images')
    }
    await expectNothingKept()
  })

  it('names the file exactly, with emoji, right-to-left letters, quotes and HTML, but without folders', async () => {
    for (const name of ['🏠 pod.jpg', 'صورة.jpg', "it's <b>.jpg"]) {
      expect((await upload([{ bytes: 'no', name }])).body.message).toContain(`${name} is not`)
    }
    expect((await upload([{ bytes: 'no', name: '../../etc/passwd' }])).body.message).toMatch(/^passwd is not/)
  })

  it('stores nothing when writing a file fails halfway', async () => {
    const { storage } = test.context
    const put = storage.put.bind(storage)
    let puts = 0
    vi.spyOn(storage, 'put').mockImplementation(async (...args) => {
      puts += 1
      if (puts === 4) throw new Error('disk full')
      return put(...args)
    })
    const response = await upload([await good(), await good()])
    expect([response.status, response.body.code]).toEqual([500, 'internal'])
    expect(response.text).not.toContain('disk full')
    await expectNothingKept()
  })
})

describe('POST upload over a real connection', () => {
  it('returns an error while the client is still sending', async () => {
    const { token } = await test.signIn([3])
    const url = `http://127.0.0.1:${await test.listen()}/api/upload`
    const big = await buildImage('png', { width: 1700, height: 1700 })
    expect(big.length).toBeGreaterThan(5_000_000)
    const form = toForm([
      { bytes: 'no image', name: 'first.txt' },
      ...Array.from({ length: 9 }, () => ({ bytes: big })),
    ])
    const response = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('first.txt') })
    await expectNothingKept()
  })

  it('stores nothing when the client disconnects halfway or just before the response', async () => {
    const { token } = await test.signIn([3])
    const { body, headers } = await encode(toForm([{ bytes: await buildImage() }, { bytes: await buildImage() }]))
    const head = `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`
    const departures = [
      { sent: body.length - 2000, leavesAt: 1 },
      { sent: body.length, leavesAt: 4 },
    ]
    for (const { sent, leavesAt } of departures) {
      const { storage } = test.context
      const store = storage.put.bind(storage)
      const client = await connectClient(test)
      let puts = 0
      const put = vi.spyOn(storage, 'put').mockImplementation(async (...file) => {
        puts += 1
        if (puts === leavesAt) await client.leave()
        return store(...file)
      })
      client.send(head, body.subarray(0, sent))
      await vi.waitUntil(() => puts >= leavesAt, { timeout: 10_000 })
      await vi.waitFor(expectNothingKept, { timeout: 10_000 })
      put.mockRestore()
    }
  })
})

describe('deleteUnusedImages', () => {
  const day = 24 * 3_600_000

  it('deletes files and rows only of images that are old and on no pod', async () => {
    const bytes = await buildImage('jpeg', { width: 20, height: 20 })
    const { token } = await test.signIn([3])
    const old = (await upload([{ bytes }, { bytes }, { bytes }], token)).body.files
    const pod = await buildPod(test.db)
    await test.db
      .insertInto('pod_images')
      .values({ pod_id: pod.id, position: 1, public_id: 'any', url: old[1].url })
      .execute()
    test.clock.set(new Date(test.clock.now().getTime() + day + 1000))
    const fresh = (await upload([{ bytes }], (await test.signIn([3])).token)).body.files

    expect(await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - day))).toBe(2)
    const kept = [old[1], fresh[0]]
    expect((await listRows()).map(({ url }) => url)).toEqual(kept.map(({ url }) => url))
    const names = kept.flatMap(({ url, thumbnail }) => [url, thumbnail]).map((url) => url.slice('/uploads/'.length))
    expect(new Set(await listFiles())).toEqual(new Set(names))
    expect(await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - day))).toBe(0)
  })

  it('keeps images that a pod refers to in any spelling, even one that a sweep had marked for deletion', async () => {
    const bytes = await buildImage('jpeg', { width: 20, height: 20 })
    const spell = [
      (url: string) => ({ url: `http://localhost:4000${url}` }),
      (url: string) => ({ url: `https://portal.example.com/api${url}?v=1#top` }),
      (url: string) => ({ url: encodeURIComponent(url) }),
      (url: string) => ({ url: url.slice(1).replace('.webp', '-thumbnail.webp') }),
      (_: string, id: string) => ({ url: `/uploads/${id}` }),
      (url: string) => ({ url: 'https://pictures.example.com/a.jpg', public_id: url.slice(1, -5) }),
      (_: string, id: string) => ({ url: 'https://pictures.example.com/a.jpg', public_id: id }),
    ]
    const files: { url: string; public_id: string }[] = (await upload([...spell, spell].map(() => ({ bytes })))).body
      .files
    const unused = files.pop()
    const pod = await buildPod(test.db)
    await test.db
      .insertInto('pod_images')
      .values(
        files.map(({ url, public_id }, index) => ({
          pod_id: pod.id,
          position: index + 1,
          public_id: 'any',
          ...spell[index]?.(url, public_id),
          url: spell[index]?.(url, public_id).url ?? '',
        })),
      )
      .execute()
    await test.db
      .updateTable('images')
      .set({ discarded_at: test.clock.now() })
      .where('id', '=', files[0]?.public_id ?? '')
      .execute()
    test.clock.set(new Date(test.clock.now().getTime() + 2 * day))
    expect(await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - day))).toBe(1)
    expect((await listRows()).map(({ url }) => url)).toEqual(files.map(({ url }) => url))
    expect(await listFiles()).toHaveLength(2 * files.length)
    expect(await test.app.inject(unused?.url ?? '')).toMatchObject({ statusCode: 404 })
  })

  it('deletes more than one batch, and continues after a failed sweep', async () => {
    const row = (number: number) => ({
      id: `image-${number}`,
      url: `/uploads/image-${number}.webp`,
      thumbnail_url: `/uploads/image-${number}-thumbnail.webp`,
      placeholder: 'data:,',
      width: 1,
      height: 1,
      created_at: new Date(test.clock.now().getTime() - 2 * day),
    })
    await test.db
      .insertInto('images')
      .values(Array.from({ length: 230 }, (_, number) => row(number)))
      .execute()
    const olderThan = new Date(test.clock.now().getTime() - day)
    const failing = vi.spyOn(test.context.storage, 'delete').mockRejectedValue(new Error('store unreachable'))
    await expect(deleteUnusedImages(test.context, olderThan)).rejects.toThrow('store unreachable')
    expect(await listRows()).toHaveLength(230)
    failing.mockRestore()
    expect(await deleteUnusedImages(test.context, olderThan)).toBe(230)
    expect(await listRows()).toEqual([])
  })
})
