import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { buildServerProcess, type ServerProcess, startServerProcess, waitUntilReady } from './testing/server-process.ts'
import { mountSmallDisk, type SmallDisk } from './testing/small-disk.ts'

const isEmbedded = process.env.TEST_ENGINE === 'embedded'

/** Whether small disks can be mounted. Only root may; elsewhere these tests are shown as skipped. */
function canMount(): boolean {
  const disk = isEmbedded ? mountSmallDisk(1) : undefined
  disk?.remove()
  return disk !== undefined
}

const hasDisks = canMount()
const servers: ServerProcess[] = []
const disks: SmallDisk[] = []

function mountDisk(megabytes: number): SmallDisk {
  const disk = mountSmallDisk(megabytes)
  if (!disk) throw new Error('The disk cannot be mounted')
  disks.push(disk)
  return disk
}

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = startServerProcess(env)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.child.kill('SIGKILL')
    await server.ended
  }
  for (const disk of disks.splice(0)) disk.remove()
})

/** Starts a server that has to end with code 1; returns its output. */
async function refuseStart(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const server = await start({ DATA_DIR: dataDir, ...env })
  if ((await server.ended) !== 1) throw new Error(`It ended otherwise:\n${server.readOutput()}`)
  return server.readOutput()
}

const inWords = (words: string) =>
  expect.stringMatching(
    new RegExp(
      `Podkeeper could not start.\\n${words.replaceAll('.', String.raw`\.`)}.*, or set DATA_DIR to another folder\\.\\n`,
    ),
  )

describe.runIf(isEmbedded)('a first start that cannot store anything', { timeout: 120_000 }, () => {
  // With PostgreSQL too, because the images are in the folder in any case.
  const onPostgres = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

  beforeAll(buildServerProcess)

  it('says that a file is in the place of its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podkeeper-file-'))
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await refuseStart(file)).toEqual(inWords(`The folder ${file} cannot be made: a file stands in its place.`))
    expect(await refuseStart(join(file, 'data'), onPostgres)).toEqual(
      inWords(`The folder ${join(file, 'data', 'uploads')} cannot be made: a file stands in its place.`),
    )
    await rm(folder, { recursive: true })
  })

  it.runIf(process.platform === 'linux')('says that its folder cannot be created', async () => {
    expect(await refuseStart('/proc/podkeeper/data')).toEqual(inWords('The folder /proc/podkeeper/data cannot be made'))
    expect(await refuseStart('/proc/podkeeper', onPostgres)).toEqual(
      inWords('The folder /proc/podkeeper/uploads cannot be made'),
    )
  })

  it.runIf(hasDisks)('says that the disk is read-only', async () => {
    const disk = mountDisk(1)
    disk.setReadOnly(true)
    const data = join(disk.folder, 'data')
    expect(await refuseStart(data)).toEqual(inWords(`The disk that holds ${data} is read-only.`))
    expect(await refuseStart(disk.folder)).toEqual(inWords(`The disk that holds ${disk.folder} is read-only.`))
    expect(await refuseStart(data, onPostgres)).toEqual(
      inWords(`The disk that holds ${join(data, 'uploads')} is read-only.`),
    )
  })

  it.runIf(hasDisks)('says that the disk is full, before or during the creation of the database', async () => {
    const disk = mountDisk(8)
    const data = join(disk.folder, 'data')
    expect(await refuseStart(data)).toEqual(inWords(`The disk that holds ${join(data, 'database')} is full.`))
    await rm(data, { recursive: true })
    disk.fill()
    expect(await refuseStart(data)).toEqual(inWords(`The disk that holds ${data} is full.`))
    expect(await refuseStart(join(data, 'other'), onPostgres)).toEqual(
      inWords(`The disk that holds ${join(data, 'other', 'uploads')} is full.`),
    )
  })
})

const account = { ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'a password of ours' }

describe.runIf(hasDisks)('a server whose disk fills up while it runs', { timeout: 120_000 }, () => {
  beforeAll(buildServerProcess)

  async function startOn(disk: SmallDisk) {
    await cp(inject('databaseTemplate'), disk.folder, { recursive: true })
    const server = await start({ DATA_DIR: disk.folder, ...account })
    await waitUntilReady(server)
    const request = async (method: string, path: string, body?: object | FormData) => {
      const isForm = body instanceof FormData
      const response = await fetch(`${server.url}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: await response.json(),
      }
    }
    let token = ''
    token = (await request('POST', 'user/login', { email: account.ADMIN_EMAIL, password: account.ADMIN_PASSWORD })).body
      .token
    const readiness = async () => {
      const response = await fetch(`${server.url}/readyz`)
      return { status: response.status, message: ((await response.json()) as { message?: string }).message }
    }
    return { request, readiness }
  }

  const location = (name: string) => ({
    name,
    Street: 'x'.repeat(200),
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    country_code: 'ZA',
  })

  it('refuses changes with 503 and a clear message, still reads, and recovers once there is space', async () => {
    const disk = mountDisk(64)
    const { request, readiness } = await startOn(disk)
    expect((await request('POST', 'location/create', location('First'))).status).toBe(201)
    disk.fill()
    // Space that is already allocated is used up first.
    let last = await request('POST', 'location/create', location('More'))
    for (let tries = 0; tries < 2_000 && last.status === 201; tries++) {
      last = await request('POST', 'location/create', location(`More ${tries}`))
    }
    expect(last).toMatchObject({
      status: 503,
      retryAfter: '60',
      body: { code: 'unavailable', message: expect.stringContaining('the disk is full') },
    })
    await expect.poll(readiness, { timeout: 20_000 }).toMatchObject({
      status: 503,
      message: expect.stringContaining('its disk is full'),
    })
    expect((await request('GET', 'location/details?page=1')).status).toBe(200)
    const form = new FormData()
    form.append('images', new Blob([await buildImage()]), 'a.png')
    expect(await request('POST', 'upload', form)).toMatchObject({ status: 503, body: { code: 'unavailable' } })

    disk.free()
    await expect.poll(readiness, { timeout: 20_000 }).toMatchObject({ status: 200 })
    await expect
      .poll(async () => (await request('POST', 'location/create', location('Last'))).status, { timeout: 20_000 })
      .toBe(201)
    const { body } = await request('GET', 'location/details?page=1&search=last')
    expect(body.data).toMatchObject([{ name: 'Last' }])
  })
})

async function buildImage(): Promise<ArrayBuffer> {
  const { default: sharp } = await import('sharp')
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer()
  return new Uint8Array(bytes).buffer
}
