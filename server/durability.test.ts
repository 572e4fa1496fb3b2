import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Booking } from '#contract/bookings.ts'
import type { Feature } from '#contract/features.ts'
import { openDatabase } from './db/client.ts'
import { type Acknowledged, killWhileWriting } from './db/embedded/kill-while-writing.ts'
import { toTokenHash } from './http/session.ts'
import { createId } from './ids.ts'
import { buildFeature, buildPod, buildStaff } from './testing/factories.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './testing/postgres-databases.ts'
import { buildServerProcess, type ServerProcess, startServerProcess, waitUntilReady } from './testing/server-process.ts'

const KILLS = process.env.TEST_LONG ? 100 : 3
const CLIENTS = 4
/** Quarters of an hour from 06:00 to 24:00. */
const QUARTERS_A_DAY = 72
const isPostgres = process.env.TEST_ENGINE === 'postgres'

const toLine = (row: { id: string; start_time: Date }) => `${row.id} ${row.start_time.toISOString()}`
const toState = ({ startTime, status }: Pick<Booking, 'startTime' | 'status'>) =>
  `${startTime} ${status === 'Cancelled' ? 'cancelled' : 'stands'}`

/** The last acknowledged state of a record, and the state that was sent since and has had no response. */
type Known = { state: string; sent?: string }

/** The embedded engine is killed with the server; PostgreSQL goes on, and sees its connections break. */
describe('a server that is killed while people book, move, cancel, edit and upload', () => {
  let folder: string
  let settings: Record<string, string>
  let podId: string
  let featureIds: string[]
  let image: Uint8Array<ArrayBuffer>
  const database = `podkeeper_test_${createId().replaceAll('-', '')}`
  const token = randomBytes(32).toString('base64url')
  const authorization = `Bearer ${token}`
  const known = new Map<string, Known>()
  let quarters = 0
  let lastServer: ServerProcess | undefined

  beforeAll(async () => {
    await buildServerProcess()
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-durability-'))
    if (isPostgres) await createDatabase(database, inject('databaseTemplate'))
    else await cp(inject('databaseTemplate'), folder, { recursive: true })
    const databaseUrl = isPostgres ? toDatabaseUrl(database) : undefined
    settings = { DATA_DIR: folder, LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl ?? '' }
    const { db, close } = await openDatabase({ dataDir: folder, databaseUrl })
    podId = (await buildPod(db)).id
    const features = await Promise.all(Array.from({ length: CLIENTS }, () => buildFeature(db)))
    featureIds = features.map(({ id }) => id)
    for (const { id, name } of features) known.set(id, { state: name })
    const staff_id = (await buildStaff(db)).id
    const expires_at = new Date(Date.now() + 7_200_000)
    await db
      .insertInto('sessions')
      .values({ token_hash: toTokenHash(token), staff_id, expires_at })
      .execute()
    await close()
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1a7' } })
      .png()
      .toBuffer()
    image = new Uint8Array(picture)
  })
  afterAll(async () => {
    lastServer?.child.kill('SIGKILL')
    await lastServer?.ended
    if (isPostgres) await dropDatabase(database)
    await rm(folder, { recursive: true, force: true })
  })

  /** Returns a quarter of an hour in the far future that was not requested before. */
  function nextInterval() {
    const minutes = 360 + (quarters % QUARTERS_A_DAY) * 15
    const day = Date.UTC(2040, 0, 1 + Math.floor(quarters / QUARTERS_A_DAY))
    quarters += 1
    return {
      bookingDate: new Date(day).toISOString().slice(0, 10),
      startTime: new Date(day + minutes * 60_000).toISOString(),
      endTime: new Date(day + (minutes + 15) * 60_000).toISOString(),
    }
  }

  /** Writes over HTTP until the server is gone; a change counts once its complete response has arrived. */
  function keepWriting(url: string): Acknowledged & { refused: string[] } {
    const all: string[] = []
    const refused: string[] = []

    async function send<T>(method: string, path: string, body: object): Promise<T | undefined> {
      const isForm = body instanceof FormData
      const response = await fetch(`${url}/api/${path}`, {
        method,
        headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) refused.push(`${method} ${path} ${response.status} ${text}`)
      all.push(path)
      return response.ok ? (JSON.parse(text) as T) : undefined
    }
    async function change(id: string, state: string, method: string, path: string, body: object): Promise<void> {
      known.set(id, { state: known.get(id)?.state ?? '', sent: state })
      if (await send(method, path, body)) known.set(id, { state })
    }

    async function book(): Promise<Booking | undefined> {
      const body = { bookingPurpose: 'work', ...nextInterval() }
      const made = await send<{ booking: Booking }>('POST', `user/create-booking/${podId}`, body)
      if (made) known.set(made.booking._id, { state: toState(made.booking) })
      return made?.booking
    }
    async function bookMoveAndCancel(): Promise<void> {
      const booking = await book()
      if (!booking) return
      const interval = nextInterval()
      const path = `bookings/${booking._id}`
      const moved = { startTime: interval.startTime, status: booking.status }
      await change(booking._id, toState(moved), 'PUT', `${path}/interval`, { podId, ...interval, version: 1 })
      const cancelled = toState({ ...moved, status: 'Cancelled' })
      await change(booking._id, cancelled, 'POST', `${path}/cancel`, { reason: 'Not needed', version: 2 })
    }
    async function editFeature(id: string): Promise<void> {
      const name = `Feature ${randomBytes(6).toString('hex')}`
      await change(id, name, 'PUT', `location/edit-feature/${id}`, { name })
    }
    async function uploadImage(): Promise<void> {
      const form = new FormData()
      form.append('images', new Blob([image], { type: 'image/png' }), 'photo.png')
      const stored = await send<{ files: { url: string }[] }>('POST', 'upload', form)
      for (const file of stored?.files ?? []) known.set(file.url, { state: 'stored' })
    }

    const first = book()
    const writeOn = async (featureId: string): Promise<void> => {
      for (;;) {
        await book()
        await bookMoveAndCancel()
        await editFeature(featureId)
        await uploadImage()
      }
    }
    // Each loop ends when its connection breaks.
    for (const id of featureIds) void first.then(() => writeOn(id)).catch(() => undefined)
    return { first, all, refused }
  }

  /** Reads the current state of all known records. */
  async function readStates(url: string): Promise<Map<string, string>> {
    async function read<T>(path: string): Promise<T> {
      const response = await fetch(`${url}/api/${path}`, { headers: { authorization } })
      const text = await response.text()
      if (!response.ok) throw new Error(`GET ${path} ${response.status} ${text}`)
      return JSON.parse(text) as T
    }
    const bookings = await read<Booking[]>('user/all-bookings')
    const features = await read<Feature[]>('location/features')
    const states = new Map<string, string>()
    for (const booking of bookings) states.set(booking._id, toState(booking))
    for (const { _id, name } of features) states.set(_id, name)
    for (const key of known.keys()) {
      if (!key.startsWith('/uploads/')) continue
      const response = await fetch(`${url}${key}`)
      const { format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      if (response.ok && format === 'webp') states.set(key, 'stored')
    }
    return states
  }

  /**
   * Expects that every acknowledged change is there, and that one without a response is there as a whole or not at all.
   */
  async function expectNothingLost(url: string): Promise<void> {
    const states = await readStates(url)
    const lost: string[] = []
    for (const [key, { state, sent }] of known) {
      const found = states.get(key)
      if (found === undefined || (found !== state && found !== sent))
        lost.push(`${key}: ${state}, then ${sent}: ${found}`)
      else known.set(key, { state: found })
    }
    expect(lost).toEqual([])
  }

  it(`keeps every confirmed change after each of ${KILLS} kills`, async () => {
    for (let turn = 0; turn <= KILLS; turn++) {
      const server = startServerProcess(settings)
      lastServer = server
      await waitUntilReady(server)
      await expectNothingLost(server.url)
      const before = known.size
      const writing = keepWriting(server.url)
      await killWhileWriting(server.child, writing)
      expect(writing.refused).toEqual([])
      expect(known.size).toBeGreaterThan(before)
    }
    if (process.env.TEST_LONG) process.stdout.write(`${KILLS} kills, ${known.size} records known, none lost\n`)

    const { db, close } = await openDatabase({ dataDir: folder, databaseUrl: settings.DATABASE_URL || undefined })
    const bookings = await db
      .selectFrom('bookings')
      .select(['id', 'start_time'])
      .where('status', '<>', 'Cancelled')
      .execute()
    const slots = await db
      .selectFrom('booking_slots')
      .select(['booking_id as id', 'slot_start as start_time'])
      .execute()
    await close()
    // A booking and its slots exist together or not at all, even where the request got no response.
    expect(slots.map(toLine).sort()).toEqual(bookings.map(toLine).sort())
  }, 3_600_000)
})
