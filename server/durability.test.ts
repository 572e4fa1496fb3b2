import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Booking } from '#contract/bookings.ts'
import { openDatabase } from './db/client.ts'
import { type Acknowledged, killWhileWriting } from './db/embedded/kill-while-writing.ts'
import { toTokenHash } from './http/session.ts'
import { buildPod, buildStaff } from './testing/factories.ts'
import { buildServerProcess, type ServerProcess, startServerProcess, waitUntilReady } from './testing/server-process.ts'

const KILLS = process.env.TEST_LONG ? 30 : 3
const CLIENTS = 4

const toLine = (row: { id: string; start_time: Date }) => `${row.id} ${row.start_time.toISOString()}`

/** On the embedded database, which is killed with the server. */
describe.runIf(process.env.TEST_ENGINE === 'embedded')('a server that is killed while it takes bookings', () => {
  let folder: string
  let podId: string
  const token = randomBytes(32).toString('base64url')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let quarters = 0
  let lastServer: ServerProcess | undefined

  beforeAll(async () => {
    await buildServerProcess()
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-durability-'))
    await cp(inject('databaseTemplate'), folder, { recursive: true })
    const { db, close } = await openDatabase({ dataDir: folder })
    podId = (await buildPod(db)).id
    const staff_id = (await buildStaff(db)).id
    const expires_at = new Date(Date.now() + 3_600_000)
    await db
      .insertInto('sessions')
      .values({ token_hash: toTokenHash(token), staff_id, expires_at })
      .execute()
    await close()
  })
  afterAll(async () => {
    lastServer?.child.kill('SIGKILL')
    await lastServer?.ended
    await rm(folder, { recursive: true, force: true })
  })

  /** A slot in the far future that has not been requested before. */
  function nextBody() {
    const minutes = 360 + (quarters % 72) * 15
    const day = Date.UTC(2040, 0, 1 + Math.floor(quarters / 72))
    quarters += 1
    return JSON.stringify({
      bookingPurpose: 'work',
      bookingDate: new Date(day).toISOString().slice(0, 10),
      startTime: new Date(day + minutes * 60_000).toISOString(),
      endTime: new Date(day + (minutes + 15) * 60_000).toISOString(),
    })
  }

  /** Books over HTTP until the server is gone; a booking counts once its complete response has arrived. */
  function keepBooking(url: string): Acknowledged & { refused: number[] } {
    const all: string[] = []
    const refused: number[] = []
    const path = `${url}/api/user/create-booking/${podId}`
    const bookOnce = async () => {
      const response = await fetch(path, { method: 'POST', headers, body: nextBody() })
      const { booking } = (await response.json()) as { booking?: Booking }
      if (booking) all.push(booking._id)
      else refused.push(response.status)
    }
    const bookOn = async (): Promise<void> => {
      for (;;) await bookOnce()
    }
    const first = bookOnce()
    // Each ends with the connection that breaks under it.
    for (let index = 0; index < CLIENTS; index++) void first.then(bookOn).catch(() => undefined)
    return { first, all, refused }
  }

  it(`has kept every booking that it confirmed, ${KILLS} times`, async () => {
    // About a minute on a machine that has nothing else to do.
    const confirmed = new Set<string>()
    for (let turn = 0; turn <= KILLS; turn++) {
      const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
      lastServer = server
      await waitUntilReady(server)
      const response = await fetch(`${server.url}/api/user/all-bookings`, { headers })
      const present = new Set(((await response.json()) as Booking[]).map(({ _id }) => _id))
      expect([...confirmed].filter((id) => !present.has(id))).toEqual([])

      const booked = keepBooking(server.url)
      for (const id of await killWhileWriting(server.child, booked)) confirmed.add(id)
      expect(booked.refused).toEqual([])
      expect(confirmed.size).toBeGreaterThan(turn)
    }

    const { db, close } = await openDatabase({ dataDir: folder })
    onTestFinished(close)
    const bookings = await db.selectFrom('bookings').select(['id', 'start_time']).execute()
    const slots = await db
      .selectFrom('booking_slots')
      .select(['booking_id as id', 'slot_start as start_time'])
      .execute()
    // A booking and its slots exist together or not at all, also those of requests without a response.
    expect(slots.map(toLine).sort()).toEqual(bookings.map(toLine).sort())
    const kept = new Set(bookings.map(({ id }) => id))
    expect([...confirmed].filter((id) => !kept.has(id))).toEqual([])
  }, 900_000)
})
